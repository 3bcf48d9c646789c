import { serveThread } from '../../ground/lib/run-in-thread.ts';
import { buildSite, type Place } from './site.ts';

serveThread((place: Place) => buildSite(place));
