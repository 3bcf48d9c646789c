/** What we use of s3rver, which brings no types. */
declare module 's3rver' {
  import type { IncomingMessage } from 'node:http';

  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    /** Koa's: what a request goes through, the first one first. */
    readonly middleware: ((
      context: { readonly req: IncomingMessage; type: string; body: string },
      next: () => Promise<void>,
    ) => Promise<void>)[];
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
