import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { serveThread } from '../../ground/lib/run-in-thread.ts';

export type GraphiqlOptions = NonNullable<Parameters<typeof renderGraphiQL>[0]>;

/** The package alone takes 50 MB. */
serveThread((options: GraphiqlOptions) => renderGraphiQL(options));
