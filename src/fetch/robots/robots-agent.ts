/** A crawler's name as robots.txt knows it. Lower case. */
export interface AgentName {
  /** What User-agent lines are compared by: the letters, `_` and `-` at the start (RFC 9309, 2.2.1). `*` for `*`. */
  readonly token: string;
  /** The whole name, digits and other characters included: `mj12bot`, whose token is `mj`. */
  readonly name: string;
}

/** A full User-Agent string is reduced the same way as a name: "Orbweaver/1.0 (+https://…)" is "Orbweaver". */
export function productToken(agent: string): string {
  let end = 0;
  while (end < agent.length && isTokenCode(agent.charCodeAt(end))) end++;
  return agent.slice(0, end);
}

/**
 * Our own name, from a product token or a User-Agent string. Several words without any version or remark are neither:
 * no User-agent line can address such a name, and it is bound by the `*` groups alone, as an empty one is.
 */
export function ownName(agent: string): AgentName {
  if (/\s/.test(agent) && !/[/(]/.test(agent)) return { token: '', name: '' };
  return addressedName(agent);
}

/** The name in a User-agent line. `*` may be followed by ASCII white space and more. */
export function addressedName(value: string): AgentName {
  if (/^\*(?:[\t-\r ]|$)/.test(value)) return { token: '*', name: '*' };
  const end = value.search(/[\s/,;(<]/);
  const name = end < 0 ? value : value.slice(0, end);
  // The token first: lower case turns some letters past ASCII into ASCII ones.
  return { token: productToken(name).toLowerCase(), name: name.toLowerCase() };
}

/**
 * Whether a User-agent line means us: the tokens are equal, as Google's parser has it. Where both names go on past
 * their token, they must agree there too: a crawler called bot3 is not meant by a line for bot1.
 */
export function answersTo(ours: AgentName, line: AgentName): boolean {
  if (ours.token !== line.token || ours.name === '') return false;
  if (ours.name === line.name) return true;
  return ours.token !== '' && (ours.name === ours.token || line.name === line.token);
}

function isTokenCode(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x2d || code === 0x5f;
}
