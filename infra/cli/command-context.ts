import type { Clock } from '#shared/platform/clock.ts';
import type { Parameter } from './parameters.ts';
import type { Service } from './service.ts';

/** The person at the terminal. */
export interface Person {
  value(parameter: Parameter): Promise<string>;
  reason(): Promise<string>;
  agrees(question: string): Promise<boolean>;
}

export interface Target {
  readonly stage: string;
  readonly profile?: string | undefined;
  readonly port?: string | undefined;
  /** Who calls the local service. */
  readonly as?: string | undefined;
}

export interface SecretFile {
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** What a command works with. */
export interface CommandContext {
  /** Answers, for people or for programs. */
  readonly print: (text: string) => void;
  /** Characters of a line; a readable number when not given. */
  readonly columns?: number | undefined;
  /** Everything else: questions, news and errors. */
  readonly say: (text: string) => void;
  /** Absent in scripts. */
  readonly person: Person | undefined;
  readonly read: (file: string) => Promise<string>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Creates a file that only its owner may read. Rejects when a file of that name exists. */
  readonly makeSecretFile: (file: string) => Promise<SecretFile>;
  readonly findService: (target: Target) => Promise<Service>;
  /** Resolves when the person stops the command. */
  readonly untilStopped: () => Promise<unknown>;
}
