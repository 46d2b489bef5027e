import { writeFileSync } from 'node:fs';
import { CLIENT_FILE, printedClient } from './generate-client.ts';
import { printedDocument } from './openapi-document.ts';

const project = new URL('../../../', import.meta.url);
const document = printedDocument();
writeFileSync(new URL('openapi.json', project), document);
writeFileSync(new URL(CLIENT_FILE, project), printedClient(document));
