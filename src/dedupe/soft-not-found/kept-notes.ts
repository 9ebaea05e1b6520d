import { HostNotes } from './host-notes.ts';
import type { NotFoundTemplate } from './not-found-template.ts';

interface TemplateSnapshot {
  readonly digest?: string;
  readonly simhash?: string;
  readonly sketch?: string;
  readonly title?: string;
  readonly saysSo: boolean;
  readonly words: number;
  readonly features?: readonly number[];
  readonly isFront: boolean;
  readonly isUsual: boolean;
}

interface NotesSnapshot {
  readonly visits: number;
  readonly asked: readonly string[];
  readonly honestAnswers: number;
  readonly targets: readonly string[];
  readonly usualWords: number;
  readonly templates: readonly TemplateSnapshot[];
}

/** What must outlive a run: which probes were asked and what they brought. What was seen lately is seen again. */
export function notesToJson(notes: HostNotes): unknown {
  const { visits, asked, honestAnswers, targets, usualWords, templates } = notes;
  return { visits, asked, honestAnswers, targets, usualWords: Math.round(usualWords), templates: templates.map(keep) };
}

export function notesFromJson(json: unknown): HostNotes {
  const kept = json as NotesSnapshot;
  const notes = new HostNotes();
  notes.visits = kept.visits;
  notes.pagesRead = kept.visits;
  notes.honestAnswers = kept.honestAnswers;
  notes.usualWords = kept.usualWords;
  notes.asked.push(...kept.asked);
  notes.targets.push(...kept.targets);
  notes.templates.push(...kept.templates.map(unpack));
  return notes;
}

function keep({ simhash, sketch, features, ...rest }: NotFoundTemplate): TemplateSnapshot {
  return {
    ...rest,
    ...(simhash === undefined ? {} : { simhash: simhash.toString(16) }),
    ...(sketch === undefined ? {} : { sketch: Buffer.from(sketch).toString('base64') }),
    ...(features === undefined ? {} : { features: [...features] }),
  };
}

function unpack({ simhash, sketch, features, ...rest }: TemplateSnapshot): NotFoundTemplate {
  return {
    ...rest,
    ...(simhash === undefined ? {} : { simhash: BigInt(`0x${simhash}`) }),
    ...(sketch === undefined ? {} : { sketch: Uint8Array.from(Buffer.from(sketch, 'base64')) }),
    ...(features === undefined ? {} : { features: Uint32Array.from(features) }),
  };
}
