import type { WompiSetting } from './wompi-settings.ts';

/** What the stack gives functions, by the members of Wompi's rail that they ask. */
export function wompiRail(setting: WompiSetting) {
  const environment = { WOMPI: JSON.stringify(setting) };
  const asks = { environment, secrets: ['WOMPI_KEYS'] };
  return {
    name: 'wompi',
    isSimulated: false,
    signatureHeader: 'x-event-checksum',
    // Its events are recognised by their checksum alone (Wompi, Events).
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
