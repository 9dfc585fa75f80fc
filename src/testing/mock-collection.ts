/** A part of the platform's state that is searched by a key, with the methods of a `Map`. */
export class MockCollection<Item> implements Iterable<Item> {
  readonly #what: string;
  readonly #items: () => readonly Item[];
  readonly #keysOf: (item: Item) => readonly string[];

  /** @internal */
  constructor(
    what: string,
    items: () => readonly Item[],
    keysOf: (item: Item) => readonly string[],
  ) {
    this.#what = what;
    this.#items = items;
    this.#keysOf = keysOf;
  }

  /** The number of items. */
  get size(): number {
    return this.#items().length;
  }

  /** Lists the items, in the order in which they were added. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items().values();
  }

  /**
   * Returns whether there is an item with this key.
   *
   * @example
   * ```ts
   * console.log(mock.webhooks.has('7d444840-9dc0-41d1-b245-5ffdce74fad2')); // false
   * ```
   */
  has(key: string): boolean {
    return this.find(key) !== undefined;
  }

  /**
   * Returns an item by its key, or `undefined` when there is none.
   *
   * @example
   * ```ts
   * console.log(mock.orders.find('unknown')?.status); // undefined
   * ```
   */
  find(key: string): Item | undefined {
    return this.#items().find((item) => this.#keysOf(item).includes(key));
  }

  /**
   * Returns an item by its key. Change the object to change the state.
   *
   * @throws Error when there is no such item
   *
   * @example
   * ```ts
   * const { data } = await client.webhooks.create({
   *   name: 'Events',
   *   url: 'https://app.example/hooks',
   *   eventTypes: ['*'],
   * });
   * mock.webhooks.get(data?.id ?? '').isActive = false;
   * ```
   */
  get(key: string): Item {
    const item = this.find(key);
    if (item === undefined) throw new Error(`there is no ${this.#what} "${key}" on this platform`);
    return item;
  }
}
