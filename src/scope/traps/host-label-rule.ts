import { ADMIT, type Rule, refuse } from '../rule.ts';

const MOST_OF_ONE_LABEL = 2;
const DOT = 0x2e;

/** Names without end: every page on a host of its own, below the last. */
export function createHostLabelRule(max: number): Rule {
  return {
    name: 'trap-host-labels',
    judge({ host }) {
      // Addresses have brackets, or four numbers.
      if (host.charCodeAt(0) === 0x5b) return ADMIT;
      let labels = 1;
      for (let i = 0; i < host.length; i++) if (host.charCodeAt(i) === DOT) labels++;
      if (labels > max) return refuse('trap', `trap-host-labels ${max}: the host has ${labels} labels`);
      if (labels <= MOST_OF_ONE_LABEL) return ADMIT;
      const label = repeatedLabel(host);
      return label === undefined
        ? ADMIT
        : refuse('trap', `trap-host-labels: the host holds the label ${label} more than ${MOST_OF_ONE_LABEL} times`);
    },
  };
}

function repeatedLabel(host: string): string | undefined {
  const labels = host.split('.');
  if (isDigits(labels[labels.length - 1].split(':', 1)[0])) return undefined;
  return labels.find((label, at) => {
    let seen = 1;
    for (let i = at + 1; i < labels.length; i++) if (labels[i] === label) seen++;
    return seen > MOST_OF_ONE_LABEL;
  });
}

function isDigits(text: string): boolean {
  return text !== '' && Number.isInteger(Number(text));
}
