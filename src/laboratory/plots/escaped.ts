/** Text that stands for itself in HTML and SVG, between tags and in attributes. */
export function escaped(content: string): string {
  return content.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
