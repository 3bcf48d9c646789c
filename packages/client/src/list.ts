export type Page<Item> = {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly next_url: string | null;
};

/** A list of any length, read page by page as it is gone through: `for await (const invoice of …)`. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#read = read;
  }

  /** The first page alone. */
  first(): Promise<Page<Item>> {
    return this.#read(undefined);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#read(cursor);
      yield page;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
