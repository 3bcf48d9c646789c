import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { makeInThread } from '../../ground/lib/make-aside.ts';

export type GraphiqlOptions = NonNullable<Parameters<typeof renderGraphiQL>[0]>;

/** The package alone takes 50 MB. */
makeInThread((options: GraphiqlOptions) => renderGraphiQL(options));
