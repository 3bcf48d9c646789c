import type { FieldIssue } from '../../../ground/errors/refusal.ts';
import { lengthOf } from '../../../ground/lib/text.ts';
import { leaf, type XmlElement } from './canonical-xml.ts';

/** Collects everything in an invoice that the format cannot represent, so that a refusal names all of it. */
export class Fields {
  readonly faults: FieldIssue[] = [];

  /** Records that the element `field` cannot hold the invoice's value. */
  fault(field: string, code: string, message: string): void {
    this.faults.push({ field, code, message: `${field} ${message}` });
  }

  /** An element with a text of limited length; null without a text. The path is named in the refusal. */
  text(parent: string, name: string, text: string, max: number): XmlElement;
  text(parent: string, name: string, text: string | null, max: number): XmlElement | null;
  text(parent: string, name: string, text: string | null, max: number): XmlElement | null {
    if (text !== null && lengthOf(text) > max) {
      this.fault(`${parent}/${name}`, 'too_long', `holds at most ${max} characters`);
    }
    return leaf(name, text);
  }

  /** An element that the format requires. */
  required(parent: string, name: string, text: string | null, max: number): XmlElement {
    if (text === null || text.trim() === '') {
      this.fault(`${parent}/${name}`, 'required', 'is demanded, and the invoice does not say it');
    }
    return this.text(parent, name, text ?? '', max);
  }
}
