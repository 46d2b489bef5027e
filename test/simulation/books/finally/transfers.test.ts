import { test } from 'vitest';
import { detection, noPoll, notification } from '../examples/deposit-examples.ts';
import { at, type Breach, but, createHistory, expectBreach, type History } from '../examples/history.ts';
import { creation, funded, publishAll } from '../examples/off-ramp-examples.ts';
import { ordering, payinCreation, settlement } from '../examples/pay-in-examples.ts';
import { payment, report, time, transfer } from '../examples/truth-examples.ts';

/** The deposit was notified, and is not looked at any more. */
const filed = (set: Readonly<Record<string, unknown>>) => ({ it: { ...notification(), set: { ...set, ...noPoll } } });
const unmatched = { unmatched: 'UNMATCHED', unmatchedSince: at(20) };

function ordered(history: History): void {
  history.write(payinCreation());
  history.write(ordering());
}

function leftOutAsDust(history: History): void {
  history.write({ it: notification() });
  history.write(filed({ leftOut: 'BELOW_MINIMUM' }));
  history.wait(3600);
}

const deposits: readonly Breach[] = [
  [
    'a transfer that was notified is on record',
    (to) => to.end({ transfers: [{ ...transfer(), notifiedAt: [time(6)] }] }),
  ],
  [
    'no deposit waits without a poll',
    (to) => {
      to.write({ it: notification() });
      to.wait(3600);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'what was taken back in the end is reported',
    (to) => {
      funded(to);
      to.wait(3600);
      to.end({
        transfers: [
          {
            ...transfer([
              [5, 'CONFIRMED'],
              [100, 'FAILED'],
            ]),
            notifiedAt: [time(300)],
          },
        ],
      });
    },
  ],
  [
    'what was taken back after its credit is found by a poll',
    (to) => {
      funded(to);
      publishAll(to);
      to.wait(7200);
      const taken = transfer([
        [5, 'CONFIRMED'],
        [100, 'FAILED'],
      ]);
      to.end({ calls: [report], transfers: [taken] });
    },
  ],
  [
    'what failed is not unmatched',
    (to) => {
      to.write({ it: notification() });
      to.write(filed(unmatched));
      to.wait(3600);
      to.end({ transfers: [{ ...transfer([[5, 'FAILED']]), notifiedAt: [time(300)] }] });
    },
  ],
  [
    'a deposit has the status that its transfer ended with',
    (to) => {
      to.write(creation());
      to.write(detection('FAILED', 'FAILED', { ...noPoll }));
      to.wait(3600);
      to.end({ transfers: [{ ...transfer(), notifiedAt: [time(300)] }] });
    },
  ],
  [
    'a final transfer is credited, or listed with its reason',
    (to) => {
      to.write({ it: notification() });
      to.write(filed({}));
      to.wait(3600);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'a final transfer is credited, or listed with its reason',
    (to) => {
      leftOutAsDust(to);
      to.end({ transfers: [transfer([[5, 'CONFIRMED']], { assetId: 'POLYGON:USDC', amount: '1' })] });
    },
  ],
  [
    'what the custodian moves itself is nobody’s deposit',
    (to) => {
      to.write(creation());
      to.write(detection());
      to.end({ transfers: [transfer([[5, 'UNCONFIRMED']], { isFromCustodian: true })] });
    },
  ],
  [
    'a deposit is of the operation that it was sent to',
    (to) => {
      to.write(creation());
      to.write(detection());
      to.end({ transfers: [transfer([[5, 'UNCONFIRMED']], { toAddress: '0xAnother' })] });
    },
  ],
  [
    'nothing is unmatched that an operation awaits',
    (to) => {
      to.write(creation());
      to.write({ it: { ...notification(), set: { firstNotifiedAt: at(1), ...unmatched } } });
      to.wait(3600);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'only what an operation awaits is credited to it',
    (to) => {
      funded(to);
      to.end({ transfers: [transfer([[5, 'CONFIRMED']], { amount: '26' })] });
    },
  ],
  [
    'only what an operation awaits is credited to it',
    (to) => {
      funded(to);
      to.end();
    },
  ],
  [
    'only money that is there is credited',
    (to) => {
      funded(to);
      const taken = transfer([
        [5, 'CONFIRMED'],
        [6, 'FAILED'],
      ]);
      to.write({ it: { ...notification(), set: { creditedAt: at(600) } } });
      to.end({ transfers: [taken] });
    },
  ],
  [
    'only money that is there is credited',
    (to) => {
      funded(to);
      to.end({
        transfers: [
          transfer([
            [5, 'UNCONFIRMED'],
            [600, 'CONFIRMED'],
          ]),
        ],
      });
    },
  ],
];

test.each(deposits)('%s', (...breach) => {
  expectBreach(breach);
});

test('what is credited, listed, and still awaited breaks no rule', () => {
  const history = createHistory();
  funded(history);
  ordered(history);
  history.write(settlement());
  history.write(but({ it: notification('second', 'another') }, 'it', { ...unmatched, ...noPoll }));
  publishAll(history);
  history.wait(3600);
  const other = transfer([[5, 'CONFIRMED']], { custodianTransferId: 'second', txHash: 'another' });
  const transfers = [{ ...transfer(), notifiedAt: [time(200)] }, other];
  history.end({ calls: [report], transfers, payments: [payment()] });
});

test('what is less than the minimum of its token, and is left out, breaks no rule', () => {
  const history = createHistory();
  leftOutAsDust(history);
  history.end({ transfers: [transfer([[5, 'CONFIRMED']], { assetId: 'POLYGON:USDC', amount: '0.99' })] });
});
