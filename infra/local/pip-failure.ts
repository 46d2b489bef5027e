/**
 * Says in a few lines why pip could not install, and what to do about it: pip itself repeats a lost connection once per
 * attempt, and then says that no version was found.
 */
export function explainPip(printed: string): string {
  const broken = [...printed.matchAll(/connection broken by '(.*)': \//g)].at(-1)?.[1];
  if (broken !== undefined) return `No connection to ${index()}:\n  ${withoutObjects(broken)}\n${WAYS}`;
  const output = [...new Set(printed.split('\n'))].filter((line) => /\S/.test(line)).join('\n');
  if (output.includes('DO NOT MATCH THE HASHES')) {
    return `${output}\n\n${index()} serves other packages than this project is pinned to. Use another index: PIP_INDEX_URL=https://… npm start.`;
  }
  if (output.includes('No space left on device')) return output;
  return `${output}\n\nThe index was ${index()}.\n${WAYS}`;
}

const WAYS = `
If this machine gets its Python packages
  - from a mirror: PIP_INDEX_URL=https://… npm start;
  - through a proxy: HTTPS_PROXY=http://… npm start;
  - by a certificate authority of its own: PIP_CERT=/path/of/its.pem npm start.`;

/** The package index, without the name and password that its address may have. */
function index(): string {
  const configured = process.env['PIP_INDEX_URL'];
  const url = configured === undefined ? null : URL.parse(configured);
  return url === null ? 'the Python package index' : `the index of PIP_INDEX_URL, ${url.origin}${url.pathname}`;
}

/** Removes `<…HTTPSConnection object at 0x7fdaae389d50>: `, which says nothing. */
function withoutObjects(text: string): string {
  return text.replaceAll(/<[^<>]* object at 0x[0-9a-f]+>: /g, '');
}
