import { randomUUID } from 'node:crypto';
import type { BundledPackage } from './bundled-packages.ts';

interface Project {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** A bill of materials in CycloneDX 1.6: the content of the functions besides the code of this project. */
export function sbomOf(project: Project, packages: readonly BundledPackage[]) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // GitHub's attestation refuses a bill of materials without a serial number.
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': project.name, ...identity(project) } },
    components: packages.map(({ integrity, ...one }) => {
      const purl = `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`;
      return { type: 'library', 'bom-ref': purl, ...identity(one), purl, hashes: [sha512(integrity)] };
    }),
  };
}

function identity({ name, version, licence }: Project) {
  return { name, version, licenses: [{ license: { id: licence } }] };
}

function sha512(integrity: string) {
  return { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') };
}
