import { serveThread } from '../../ground/lib/make-aside.ts';
import { makeSite, type Place } from './site.ts';

serveThread((place: Place) => makeSite(place));
