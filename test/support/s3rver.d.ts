/** What we use of s3rver, which brings no types. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
