import type { Submitted } from '../submitted.ts';
import type { Day } from '../time.ts';
import type { XmlElement } from '../xml.ts';

/** One DetalleDesglose. Texts are null when absent; `tax` has its default. */
export type Detail = {
  /** 01 IVA (also when absent), 02 IPSI, 03 IGIC, 05 other. */
  readonly tax: string;
  readonly regime: string | null;
  readonly operation: string | null;
  readonly exemption: string | null;
  readonly rate: number | null;
  readonly base: number;
  readonly costBase: number | null;
  readonly quota: number | null;
  readonly surchargeRate: number | null;
  readonly surcharge: number | null;
};

/** The context in which a detail is checked. */
export type DetailSurroundings = {
  readonly record: Submitted;
  readonly recipients: readonly XmlElement[];
  readonly day: Day;
  readonly today: Day;
};
