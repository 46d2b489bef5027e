import { LONGEST_DELAY } from '#shared/platform/aws/longest-delay.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { type Delivery, unparkedAt } from '#shared/webhooks/delivery.ts';
import type { ClaimedDelivery, DeliveryClaims } from '#shared/webhooks/delivery-claims.ts';
import { type DeliveryMessage, messageFor, type SendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import type { AttemptOutcome } from '#shared/webhooks/delivery-outcome.ts';
import { lostAfter, MESSAGE_LOST_AFTER } from '#shared/webhooks/delivery-queue.ts';
import type { Attempt } from '#shared/webhooks/send-event.ts';

interface Dependencies {
  readonly claims: Pick<DeliveryClaims, 'finish' | 'reschedule'>;
  /** For the first two attempts of a delivery. */
  readonly sendFirst: SendDeliveryMessage;
  /** For all others, which thereby cannot hold up news. */
  readonly sendRetry: SendDeliveryMessage;
  readonly clock: Clock;
}

/** Seconds, about, after which somebody who found no slot free asks again. */
const LONGEST_WAIT = 60;

/** Seconds after which an attempt is made again that a fault of ours prevented. */
const FAULT_PAUSE = 60;

/**
 * Says in the table when a delivery's next attempt is, and sends the message for it if that is soon; a later one's is sent
 * by the sweep, as is one that was lost.
 */
export function createNextAttempts({ claims, sendFirst, sendRetry, clock }: Dependencies) {
  const secondsTo = (instant: string) => (Date.parse(instant) - clock.now().getTime()) / 1000;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
  const dueAt = (nextAttemptAt: string, isSent: boolean) =>
    isSent ? lostAfter(new Date(nextAttemptAt)) : nextAttemptAt;

  const reschedule = async (delivery: ClaimedDelivery, until: string): Promise<void> => {
    await claims.reschedule(delivery, until, until);
  };

  return {
    /** Keeps an attempt and what it leads to; false when its lease was lost, and another made it again. */
    async record(delivery: ClaimedDelivery, attempt: Attempt, outcome: AttemptOutcome): Promise<boolean> {
      const { at, durationMs, statusCode, error } = attempt;
      const nextAt = outcome.status === 'PENDING' ? outcome.nextAttemptAt : undefined;
      const isSoon = nextAt !== undefined && secondsTo(nextAt) <= LONGEST_DELAY;
      const due = { now: clock.now(), ...(nextAt !== undefined && { dueAt: dueAt(nextAt, isSoon) }) };
      if (!(await claims.finish(delivery, { at, durationMs, statusCode, error }, outcome, due))) return false;
      const made: Delivery = { ...delivery, attemptsLogged: delivery.attemptsLogged + 1 };
      const sendNext = delivery.attemptsMade === 0 ? sendFirst : sendRetry;
      if (nextAt !== undefined && isSoon) await hint(() => sendNext(messageFor(made), secondsTo(nextAt)), made);
      return true;
    },

    /** The message came before its time. */
    async delay(message: DeliveryMessage, nextAttemptAt: string): Promise<void> {
      if (secondsTo(nextAttemptAt) <= LONGEST_DELAY) await sendRetry(message, secondsTo(nextAttemptAt));
    },

    /**
     * No slot is free. The message goes back for about as long as the calls last that hold the slots, and longer each
     * time: two dozen times at most, whatever the endpoint does. Then it is given up, and the sweep, which knows the
     * delivery, sends another.
     */
    async requeue(message: DeliveryMessage, heldSeconds: number): Promise<void> {
      const about = Math.min(1 + heldSeconds + message.waited / 2, LONGEST_WAIT);
      const seconds = Math.ceil(about * (0.5 + clock.random()));
      const waited = message.waited + seconds;
      if (waited <= MESSAGE_LOST_AFTER) await sendRetry({ ...message, waited }, seconds);
    },

    /** Time spent parked is no attempt. */
    afterParking: (delivery: ClaimedDelivery, until: string): Promise<void> =>
      reschedule(delivery, unparkedAt(until, clock.random)),

    afterFault: (delivery: ClaimedDelivery): Promise<void> => reschedule(delivery, inSeconds(FAULT_PAUSE)),
  };
}

export type NextAttempts = ReturnType<typeof createNextAttempts>;

/** The attempt is made and written down: a message that cannot be sent must not undo that, and the sweep sends it. */
async function hint(send: () => Promise<void>, { deliveryId }: Delivery): Promise<void> {
  try {
    await send();
  } catch (error) {
    log.warn('DELIVERY_MESSAGE_NOT_SENT', { deliveryId, cause: describe(error) });
  }
}
