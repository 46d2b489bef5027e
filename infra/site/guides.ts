/** A page for clients' developers, as `docs/<name>.md`. */
interface Guide {
  readonly name: string;
  /** The title in the list of pages. */
  readonly title: string;
  readonly about: string;
}

interface Chapter {
  readonly title: string;
  readonly guides: readonly Guide[];
}

/**
 * The pages of the site for clients. Every other page of `docs/` is for people who run or change the service and stays
 * in the repository: it names alarms, commands, roles and limits that clients cannot see.
 */
export const chapters: readonly Chapter[] = [
  {
    title: 'Begin',
    guides: [
      { name: 'start', title: 'Start', about: 'From credentials to the first calls.' },
      { name: 'not-here', title: 'What this API does not do', about: 'And who does it.' },
      { name: 'going-live', title: 'Going live', about: 'What production asks of a client, as a list to tick off.' },
    ],
  },
  {
    title: 'Move money',
    guides: [
      { name: 'off-ramp', title: 'An off-ramp', about: 'From a token of a user to fiat, call by call.' },
      { name: 'wrong-deposits', title: 'Wrong deposits', about: 'What happens to each, and what to tell the user.' },
      { name: 'pay-in', title: 'A pay-in', about: 'Pesos from a user, by PSE, NEQUI or DAVIPLATA.' },
      { name: 'lives', title: 'All statuses', about: 'Each status of an off-ramp, a hash, a deposit and a pay-in.' },
    ],
  },
  {
    title: 'Be told',
    guides: [
      { name: 'webhooks', title: 'Webhooks', about: 'Events, signatures, retries, resend and replay.' },
      { name: 'receivers', title: 'Receivers', about: 'Whole programs in Node, Python, Go and Java.' },
    ],
  },
  {
    title: 'Look up',
    guides: [
      { name: 'sandbox', title: 'The sandbox', about: 'How to see each outcome within seconds.' },
      { name: 'errors', title: 'Errors', about: 'Each code, its cause and what to do; a page per code.' },
      { name: 'sdk', title: 'The typed client', about: 'A package, with an exam for receivers of webhooks.' },
      { name: 'client-tests', title: 'Your own tests', about: 'A job of CI against the local run; staging.' },
      { name: 'changelog', title: 'Changelog', about: 'What each version added.' },
      { name: 'api', title: 'The API', about: 'Every route, tokens, idempotency, lists and limits.' },
    ],
  },
];

/** Files of the site that are no pages: links lead to them, and the builder of the pages does not know them. */
export const filesBeside: readonly string[] = ['reference.html', 'llms.txt', 'postman-collection.json'];

export const guides: readonly Guide[] = chapters.flatMap((chapter) => chapter.guides);
