import { writeFileSync } from 'node:fs';
import { printedDocument } from './document.ts';

writeFileSync(new URL('../../openapi.json', import.meta.url), printedDocument());
