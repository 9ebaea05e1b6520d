import { diskError } from '../../base/disk-error.ts';
import type { IndexDisk } from './index-disk.ts';

/** The same disk, whose failures are errors with a code that say what to do. `onAppend` is told how many bytes were written. */
export function checkedDisk(disk: IndexDisk, folder: string, onAppend: (bytes: number) => void): IndexDisk {
  const checked = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw diskError(cause, `the index in ${folder}`);
    }
  };
  return {
    create(path) {
      const file = checked(() => disk.create(path));
      return {
        append(bytes) {
          checked(() => file.append(bytes));
          onAppend(bytes.length);
        },
        sync: () =>
          file.sync().catch((cause) => {
            throw diskError(cause, `the index in ${folder}`);
          }),
        close: () => checked(() => file.close()),
      };
    },
    link: (from, to) =>
      disk.link(from, to).catch((cause) => {
        throw diskError(cause, `the index in ${folder}`);
      }),
    rename: (from, to) => checked(() => disk.rename(from, to)),
    remove: (path) => checked(() => disk.remove(path)),
    list: (path) => checked(() => disk.list(path)),
    syncFolder: (path) => checked(() => disk.syncFolder(path)),
  };
}
