import { describe, expect, test } from 'vitest';
import { drawGraph } from '#infra/cli/operations-page/draw-graph.ts';
import { returnMachine, stateOfReturn } from '#infra/cli/operations-page/return-machine.ts';
import { type Machine, stateGraph } from '#infra/cli/operations-page/state-graph.ts';
import type { DepositReturn } from '#shared/off-ramps/model/deposit.ts';

const machine: Machine = {
  start: 'Ask',
  states: {
    Enough: { type: 'Succeed', next: [] },
    Ask: { type: 'Task', next: ['Decide', 'Broken'] },
    Decide: { type: 'Choice', next: ['Enough', 'Rest', 'Broken'] },
    Rest: { type: 'Wait', next: ['Ask'] },
    Broken: { type: 'Fail', next: [] },
    Unreached: { type: 'Succeed', next: [] },
  },
};

describe('the graph of a state machine', () => {
  test('has every state that is reached, by how many steps it is from the start, what leads back on top', () => {
    expect(stateGraph(machine).nodes).toEqual([
      { name: 'Ask', type: 'Task', column: 0, row: 0 },
      { name: 'Decide', type: 'Choice', column: 1, row: 0 },
      { name: 'Broken', type: 'Fail', column: 1, row: 1 },
      { name: 'Rest', type: 'Wait', column: 2, row: 0 },
      { name: 'Enough', type: 'Succeed', column: 2, row: 1 },
    ]);
  });

  test('is drawn with each state once, and with the one that is marked', () => {
    const { content } = drawGraph('Work', stateGraph(machine), 'Rest');
    const parts = content.flatMap((one) => (typeof one === 'string' ? [] : [one.attributes]));
    const states = parts.filter((one) => 'data-state' in one);
    expect(states.map((one) => `${one['data-state']}: ${one['class']}`)).toEqual([
      'Ask: state task',
      'Decide: state choice',
      'Broken: state fail',
      'Rest: state wait current',
      'Enough: state succeed',
    ]);
    expect(parts.filter((one) => one['class'] === 'arrow')).toHaveLength(1 + 6);
  });
});

describe('decisions 9, who moves what: the return of a deposit', () => {
  const at = '2026-08-01T12:00:00.000Z';
  const approval = { by: 'bea', at };
  const requested = {
    ...{
      amount: '98',
      fee: '1',
      assetId: 'USDC',
      from: 'vault',
      address: 'wallet',
      requestedAt: at,
      requestedBy: 'alice',
    },
    ...{ approversNeeded: 2, approvals: [approval] },
  };
  const approved = { ...requested, approvals: [approval, { ...approval, by: 'carl' }] };

  test.each<[string, DepositReturn]>([
    ['Requested', requested],
    ['Approved', approved],
    ['Being sent', { ...approved, sendingAt: at, txHash: '0x1' }],
    ['Returned, watched', { ...approved, sendingAt: at, txHash: '0x1', returnedAt: at }],
  ])('is marked as: %s', (state, given) => {
    const { content } = drawGraph('A return', stateGraph(returnMachine), stateOfReturn(given));
    const marked = content.flatMap((one) => (typeof one !== 'string' && 'aria-current' in one.attributes ? [one] : []));
    expect(marked.map(({ attributes }) => attributes['data-state'])).toEqual([state]);
  });
});
