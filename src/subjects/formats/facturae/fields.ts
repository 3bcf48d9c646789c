import type { FieldIssue } from '../../../ground/errors/refusal.ts';
import { lengthOf } from '../../../ground/lib/text.ts';
import { leaf, type XmlElement } from './canonical-xml.ts';

/** What the format cannot say of an invoice, found while it is written: all of it, so that nobody has to try again and again. */
export class Fields {
  readonly faults: FieldIssue[] = [];

  /** Notes that the element `field` cannot hold what the invoice says. */
  fault(field: string, code: string, message: string): void {
    this.faults.push({ field, code, message: `${field} ${message}` });
  }

  /** An element of a text that the schema bounds; null without a text. The path names it in the refusal. */
  text(parent: string, name: string, text: string, most: number): XmlElement;
  text(parent: string, name: string, text: string | null, most: number): XmlElement | null;
  text(parent: string, name: string, text: string | null, most: number): XmlElement | null {
    if (text !== null && lengthOf(text) > most) {
      this.fault(`${parent}/${name}`, 'too_long', `holds at most ${most} characters`);
    }
    return leaf(name, text);
  }

  /** An element that the format demands. */
  required(parent: string, name: string, text: string | null, most: number): XmlElement {
    if (text === null || text.trim() === '') {
      this.fault(`${parent}/${name}`, 'required', 'is demanded, and the invoice does not say it');
    }
    return this.text(parent, name, text ?? '', most);
  }
}
