/** The condition that the status of a deposit is the one that was read: `#sequence` counts its statuses. */
export function statusAsRead(sequence: number | undefined) {
  return sequence === undefined
    ? { condition: 'attribute_not_exists(#sequence)', values: {} }
    : { condition: '#sequence = :seen', values: { ':seen': sequence } };
}
