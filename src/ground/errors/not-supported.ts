/** Where the guide lists what cannot be issued here, and what to do instead. */
export const NOT_SUPPORTED = '/docs/guides/taxes#not-supported';
