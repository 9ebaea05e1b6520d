import { isMediaType } from './file-types.ts';
import { queryTokens } from './query-tokens.ts';

/** Whether a query asks for pictures, films or sounds, and for nothing else: type:image, filetype:jpg. */
export function asksForMedia(typed: string): boolean {
  const types = queryTokens(typed).tokens.filter(
    (token) => token.kind === 'operator' && token.name === 'filetype' && !token.not,
  );
  return types.length > 0 && types.every((token) => token.kind === 'operator' && isMediaType(token.value));
}
