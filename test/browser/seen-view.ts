import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserTab } from './dev-tools.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where somebody wants to look at the pages. */
const PICTURES = process.env.SCREENSHOTS;
/** Each width and each colour scheme is judged once by axe, which takes its time. */
const SIZES = [
  [1280, 'light', true],
  [1280, 'dark', false],
  [340, 'light', false],
  [340, 'dark', true],
] as const;

/** Counts how far the parts of a page move without anybody having asked for it; from the next page on. */
export async function countShifts(tab: BrowserTab): Promise<void> {
  await tab.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `window.shift = 0; window.shifted = [];
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
          if (hadRecentInput) continue;
          window.shift += value;
          const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
          for (const { node, previousRect, currentRect } of sources ?? [])
            window.shifted.push((node?.outerHTML ?? String(node?.textContent)).slice(0, 60) + ' from ' + box(previousRect) + ' to ' + box(currentRect));
        }
      }).observe({ type: 'layout-shift', buffered: true });`,
  });
}

/** What is wrong with the page as it is shown: parts that moved, wider than the window, what axe calls serious. */
export async function faultsOfView(tab: BrowserTab, name: string): Promise<string[]> {
  const wrong: string[] = [];
  const shift = await tab.evaluate<number>('window.shift ?? 0');
  if (shift > 0.02) {
    const what = await tab.evaluate<string[]>('window.shifted ?? []');
    wrong.push(`${name}: moved by ${shift}: ${what.join('; ')}`);
  }
  for (const [width, scheme, isJudged] of SIZES) {
    await tab.prefer(scheme);
    await tab.resize(width, 900, width < 400);
    if (await tab.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
      wrong.push(`${name}: wider than ${width} pixels`);
    if (isJudged) wrong.push(...(await seriousFindings(tab)).map((finding) => `${name}, ${scheme}: ${finding}`));
    if (PICTURES === undefined) continue;
    mkdirSync(PICTURES, { recursive: true });
    await tab.screenshot(join(PICTURES, `${name}-${width}-${scheme}.png`), true);
  }
  await tab.prefer('light');
  await tab.resize(1280, 900);
  // Sizes of the window were the test's own doing.
  await tab.evaluate('window.shift = 0; window.shifted = []');
  return wrong;
}

/** What axe finds on the page, the worst and the least. */
export async function findingsOf(tab: BrowserTab): Promise<string[]> {
  await tab.evaluate(`${AXE}; undefined`);
  return await tab.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => impact + ' ' + id + ' ' + nodes[0].html.slice(0, 150)))`,
  );
}

async function seriousFindings(tab: BrowserTab): Promise<string[]> {
  return (await findingsOf(tab)).filter((finding) => /^(?:serious|critical) /.test(finding));
}
