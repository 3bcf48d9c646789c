import { serveThread } from '../../ground/lib/run-in-thread.ts';
import { makeSite, type Place } from './site.ts';

serveThread((place: Place) => makeSite(place));
