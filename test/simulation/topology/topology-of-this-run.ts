import { inject } from 'vitest';

/** Read once for all test files. */
export const topology = inject('topology');
