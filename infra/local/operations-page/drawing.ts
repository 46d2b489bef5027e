/** An element of a drawing, from which a file is written and a page is built. */
export interface Drawn {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: readonly (Drawn | string)[];
}

export function drawn(tag: string, attributes: Drawn['attributes'], ...content: readonly (Drawn | string)[]): Drawn {
  return { tag, attributes, content };
}

/** The text of an SVG file. */
export function svgText(element: Drawn, indent = ''): string {
  const { tag, attributes, content } = element;
  const opened = [tag, ...Object.entries(attributes).map(([name, value]) => `${name}="${escaped(String(value))}"`)];
  if (content.length === 0) return `${indent}<${opened.join(' ')} />\n`;
  const within = content.map((one) =>
    typeof one === 'string' ? escaped(one) : `\n${svgText(one, `${indent}  `)}`.trimEnd(),
  );
  const end = content.some((one) => typeof one !== 'string') ? `\n${indent}` : '';
  return `${indent}<${opened.join(' ')}>${within.join('')}${end}</${tag}>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
