import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a process has to end by itself. */
const STOP_GRACE = 4000;

/** Ends a process that leads a group (`detached`), and everything it has started; resolves when it is gone. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const ended =
    child.exitCode === null && child.signalCode === null
      ? new Promise((resolve) => child.once('exit', resolve))
      : Promise.resolve();
  signalGroup(child, 'SIGTERM');
  await Promise.race([ended, sleep(STOP_GRACE, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
  await ended;
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The group is gone already.
  }
}
