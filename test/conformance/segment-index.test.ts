import { openSegmentIndex, type SegmentIndex } from '../../src/index/segment-index.ts';
import { type IndexDisk, nodeIndexDisk } from '../../src/index/store/index-disk.ts';
import { analyzeWords } from '../unit/index/brute-force-scores.ts';
import { searchIndexConformance } from './search-index-suite.ts';

const hastyDisk: IndexDisk = {
  ...nodeIndexDisk,
  create: (path) => ({ ...nodeIndexDisk.create(path), sync: async () => {} }),
  syncFolder: () => {},
};

/** A disk with a look at the folder before each step. */
function watchedDisk(disk: IndexDisk, beforeStep: () => void): IndexDisk {
  const watched =
    <A extends unknown[], R>(step: (...given: A) => R) =>
    (...given: A): R => {
      beforeStep();
      return step(...given);
    };
  return {
    ...disk,
    create(path) {
      beforeStep();
      const file = disk.create(path);
      return { append: watched(file.append), sync: watched(file.sync), close: file.close };
    },
    rename: watched(disk.rename),
    remove: watched(disk.remove),
  };
}

searchIndexConformance({
  name: 'segments',
  open(folder, options = {}) {
    const disk = options.durable === false ? hastyDisk : nodeIndexDisk;
    return openSegmentIndex({
      folder,
      analyze: analyzeWords,
      // Few segments are many here, so that merges happen.
      mergeWidth: 3,
      ...(options.readOnly === undefined ? {} : { readOnly: options.readOnly }),
      ...(options.ranking === undefined ? {} : { ranking: options.ranking }),
      disk: options.beforeStep === undefined ? disk : watchedDisk(disk, options.beforeStep),
    });
  },
  mergeAll: (index) => (index as SegmentIndex).mergeAll(),
});
