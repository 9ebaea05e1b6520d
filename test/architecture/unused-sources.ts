import type { FileTexts } from './repository.ts';

/** Files that none of the `starts` loads, by whatever way. */
export function unusedSources(graph: ReadonlyMap<string, readonly string[]>, starts: readonly string[]): string[] {
  const used = new Set<string>(starts);
  for (const file of used) for (const target of graph.get(file) ?? []) used.add(target);
  return [...graph.keys()].filter((file) => !used.has(file));
}

const EXPORTED =
  /^export (?:abstract )?(?:async )?(?:const|let|class|interface|type|function\*?)\s+(?<name>[\p{L}_$][\p{L}\d_$]*)/gmu;

/** Exports of `sources`, as `file: name`, whose name is written once in all of `texts`: where they are declared. */
export function unusedExports(sources: FileTexts, texts: FileTexts): string[] {
  const counts = new Map<string, number>();
  for (const text of texts.values()) {
    for (const [word] of text.matchAll(/[\p{L}\d_$]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...sources].flatMap(([file, source]) =>
    [...source.matchAll(EXPORTED)].flatMap(({ groups }) =>
      groups !== undefined && counts.get(groups.name) === 1 ? [`${file}: ${groups.name}`] : [],
    ),
  );
}
