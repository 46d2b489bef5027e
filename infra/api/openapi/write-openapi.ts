import { readFileSync, writeFileSync } from 'node:fs';
import { CLIENT_FILE, printedClient } from './generate-client.ts';
import { printedDocument } from './openapi-document.ts';
import { COLLECTION_FILE, printedCollection } from './postman-collection.ts';
import { API_PAGE, withRouteTables } from './route-tables.ts';

const project = new URL('../../../', import.meta.url);
const document = printedDocument();
const page = new URL(API_PAGE, project);
writeFileSync(new URL('openapi.json', project), document);
writeFileSync(new URL(CLIENT_FILE, project), printedClient(document));
writeFileSync(new URL(COLLECTION_FILE, project), printedCollection(document));
writeFileSync(page, withRouteTables(readFileSync(page, 'utf8')));
