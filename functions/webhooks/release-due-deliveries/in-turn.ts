/** One of each list, then the second of each, and so on: the longest list does not make the others wait. */
export function* inTurn<Item>(lists: Iterable<readonly Item[]>): Generator<Item> {
  let left = [...lists];
  for (let place = 0; left.length > 0; place += 1) {
    left = left.filter((list) => list.length > place);
    for (const list of left) yield* list.slice(place, place + 1);
  }
}
