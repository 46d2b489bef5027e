import type { WompiSetting } from './wompi-settings.ts';

/** What a function needs from the stack for each member of Wompi's rail that it calls. */
export function wompiRail(setting: WompiSetting) {
  const environment = { WOMPI: JSON.stringify(setting) };
  const asks = { environment, secrets: ['WOMPI_KEYS'] };
  return {
    name: 'wompi',
    isSimulated: false,
    signatureHeader: 'x-event-checksum',
    // Only the checksum authenticates Wompi's events (Wompi, Events).
    notifiesFromAnywhere: true,
    members: {
      prepare: asks,
      order: asks,
      find: asks,
      listPayments: asks,
      listBanks: asks,
      readNotification: { environment, secrets: ['WOMPI_EVENTS'] },
    },
  } as const;
}
