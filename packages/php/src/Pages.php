<?php

declare(strict_types=1);

namespace Lacre;

/**
 * A list, read page by page as it is gone through: `foreach ($lacre->listInvoices() as $invoice)`.
 *
 * @template Item
 * @implements \IteratorAggregate<int, Item>
 */
final class Pages implements \IteratorAggregate
{
    /** @param \Closure(?string): array{data: list<Item>, next_cursor: ?string} $read */
    public function __construct(private readonly \Closure $read)
    {
    }

    /**
     * Page after page.
     *
     * @return \Generator<int, list<Item>>
     */
    public function pages(): \Generator
    {
        $cursor = null;
        do {
            $page = ($this->read)($cursor);
            yield $page['data'];
            $cursor = $page['next_cursor'];
        } while ($cursor !== null);
    }

    /**
     * The items of the first page alone.
     *
     * @return list<Item>
     */
    public function first(): array
    {
        return $this->pages()->current();
    }

    /** @return \Generator<int, Item> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page as $item) {
                yield $item;
            }
        }
    }
}
