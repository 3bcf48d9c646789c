import { makeInThread } from '../../ground/lib/make-aside.ts';
import { makeSite, type Place } from './site.ts';

makeInThread((place: Place) => makeSite(place));
