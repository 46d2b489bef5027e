import type { Contract } from './contract.ts';

/** Methods of a public read: what it has, whether it is there, and which scripts may ask (decisions.md 6). */
export const publicReadMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

/** A read that anybody may make, from scripts of any origin too. */
export function isPublicRead({ access, method }: Pick<Contract, 'access' | 'method'>): boolean {
  return access === 'public' && method === 'GET';
}

/** Every path of a contract with every method that it answers. The published contract has only its own method. */
export function methodsAndPathsOf(contract: Contract) {
  const methods = isPublicRead(contract) ? publicReadMethods : [contract.method];
  const paths = [contract.path, ...(contract.aliases ?? [])];
  return paths.flatMap((path) => methods.map((method) => ({ method, path })));
}
