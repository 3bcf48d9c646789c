/**
 * Sentences of refusals, faults of fields and warnings in Spanish, by the English ones; `{}` stands for what is filled in. What no line
 * says is worded by its code (`in-spanish.ts`).
 */
export const SENTENCES_ES: readonly (readonly [english: string, spanish: string])[] = [
  // What every field may be told.
  ['is required', 'es obligatorio'],
  ['is required on a complete invoice', 'es obligatorio en una factura completa'],
  ['is required with this kind of id', 'es obligatorio con esta clase de identificación'],
  ['is required when a third party issues', 'es obligatorio cuando expide un tercero'],
  ['is required with an integration', 'es obligatorio con una integración'],
  ['is required with rectifies.invoice_ids', 'es obligatorio con rectifies.invoice_ids'],
  ['no such field', 'no existe ese campo'],
  ['no such field: {}', 'no existe ese campo'],
  ['must be one of {}', 'debe ser uno de estos: {}'],
  ['must be at least {}', 'debe ser como mínimo {}'],
  ['must be at most {}', 'debe ser como máximo {}'],
  ['must be more than 0', 'debe ser mayor que 0'],
  ['must be above 0', 'debe ser mayor que 0'],
  ['must not be 0', 'no puede ser 0'],
  ['must not be empty', 'no puede estar vacío'],
  ['must contain a visible character', 'debe contener algún carácter visible'],
  ['must not contain control characters', 'no puede contener caracteres de control'],
  ['must not contain characters that cannot be seen', 'no puede contener caracteres que no se ven'],
  [
    'must not contain U+{}, which no font of the documents has',
    'no puede contener U+{}, que ninguna fuente de los documentos tiene',
  ],
  ['must be an e-mail address', 'debe ser una dirección de correo electrónico'],
  ['must be an ISO 3166-1 alpha-2 code', 'debe ser un código de país de dos letras (ISO 3166-1)'],
  ['must be printable ASCII without quotes, < > and =', 'debe ser ASCII imprimible sin comillas, < > ni ='],
  ['must be a string, YYYY-MM-DD', 'debe ser un día, AAAA-MM-DD'],
  ['must be a day, YYYY-MM-DD', 'debe ser un día, AAAA-MM-DD'],
  ['must be RFC 3339, such as {}', 'debe ser un instante según RFC 3339, como {}'],
  ['must be a string of plain digits, such as "{}"', 'debe ser un texto con cifras, como "{}"'],
  [
    'must be an integer between -(2^53 - 1) and 2^53 - 1',
    'debe ser un número entero entre -(2^53 - 1) y 2^53 - 1',
  ],
  ['must be an integer, without quotes', 'debe ser un número entero, sin comillas'],
  ['is not a cursor of this list', 'no es un cursor de esta lista'],
  ['holds nothing to look for', 'no contiene nada que buscar'],
  ['must have at least {} character', 'debe tener como mínimo {} carácter'],
  ['must have at least {} characters', 'debe tener como mínimo {} caracteres'],
  ['must have at most {} characters', 'debe tener como máximo {} caracteres'],
  ['must have at least {} element', 'debe tener como mínimo {} elemento'],
  ['must have at least {} elements', 'debe tener como mínimo {} elementos'],
  ['must have at most {} elements', 'debe tener como máximo {} elementos'],
  ['must have at most two decimals', 'debe tener como máximo dos decimales'],
  [
    'must be an integer, at most 2^31 - 1 in either direction',
    'debe ser un número entero, de 2^31 - 1 como máximo',
  ],
  ['must be an integer', 'debe ser un número entero'],
  ['must be a number', 'debe ser un número'],
  ['must be a string', 'debe ser un texto'],
  ['must be a boolean', 'debe ser verdadero o falso'],
  ['must be an object', 'debe ser un objeto'],
  ['must be an array', 'debe ser una lista'],
  ['must be an existing day, YYYY-MM-DD', 'debe ser un día que exista, AAAA-MM-DD'],
  [
    'must be a number in plain digits with at most six decimals',
    'debe ser un número con seis decimales como máximo',
  ],
  ['must be an IBAN with its right check digits', 'debe ser un IBAN con sus dígitos de control'],
  ['must be an ISO 4217 code other than that of the euro', 'debe ser un código ISO 4217 distinto del euro'],
  [
    'must be a code of UN/ECE Recommendation 20, such as HUR or KGM',
    'debe ser un código de la Recomendación 20 de UN/ECE, como HUR o KGM',
  ],
  ['must not be in the future', 'no puede ser un día futuro'],
  ['must not be before today', 'no puede ser anterior a hoy'],
  ['must not be before {}', 'no puede ser anterior a {}'],
  ['must not be before the operation', 'no puede ser anterior a la operación'],
  ['must not be before its beginning', 'no puede ser anterior a su comienzo'],
  ['must not be before from', 'no puede ser anterior a `from`'],
  ['must not be before starts_on', 'no puede ser anterior a `starts_on`'],
  ['must not be after the invoice', 'no puede ser posterior a la factura'],
  ['is named twice', 'se indica dos veces'],
  ['is not supported together with its other form', 'no se admite junto con su otra forma'],
  ['is not supported together with {}', 'no se admite junto con {}'],
  ['is not supported on a simplified invoice', 'no se admite en una factura simplificada'],
  ['is not supported with {}', 'no se admite con {}'],
  ['is not supported without an identified recipient', 'no se admite sin un destinatario identificado'],
  [
    'is not supported here: the corrected invoice decides it',
    'no se admite aquí: lo decide la factura corregida',
  ],
  // Lines and their taxes.
  ['must hold a tax', 'debe llevar un impuesto'],
  ['must not come to more than twelve digits of euros', 'no puede pasar de doce cifras en euros'],
  [
    'must not come to less than zero on a ticket that sells nothing: name the invoice that is taken back in rectifies',
    'no puede ser menos de cero en un tique en el que no se vende nada: rectifique la factura de la que se devuelve',
  ],
  ['must come to less than zero in a volume discount', 'debe ser menos de cero en un descuento por volumen'],
  ['must be negative: it is taken back', 'debe ser negativo: es una devolución'],
  [
    'must be at least {}, as a percentage: 15 for 15 %, not 0.15',
    'debe ser como mínimo {}, en porcentaje: 15 para el 15 %, no 0,15',
  ],
  ['{} takes {} on {}.', '{} admite {} el {}.'],
  [
    'a line bears one tax only; split it into lines.',
    'una línea lleva un solo impuesto; divídala en varias.',
  ],
  [
    "{} has no classification in the company's tax catalog.",
    '{} no está clasificado en el catálogo de impuestos de la empresa.',
  ],
  [
    'every line of a rectificativa declares its tax.',
    'todas las líneas de una rectificativa declaran su impuesto.',
  ],
  [
    'with recargo_equivalencia it must carry exactly one vat tax whose rate has a surcharge.',
    'con recargo de equivalencia debe llevar exactamente un IVA cuyo tipo tenga recargo.',
  ],
  [
    'under regime key 11 (leases of premises) only 21 % is declared (validations 3.1.3.15.6.8).',
    'con la clave de régimen 11 (arrendamiento de locales) solo se declara el 21 %.',
  ],
  [
    'eu_b2b_services is for businesses of other member states; a recipient with a Spanish NIF is charged vat.',
    'eu_b2b_services es para empresas de otros Estados miembros; a un destinatario con NIF español se le repercute IVA.',
  ],
  [
    'eu_oss is for consumers; a business with an EU VAT number takes eu_b2b or eu_b2b_services.',
    'eu_oss es para consumidores; a una empresa con NIF-IVA de la UE le corresponde eu_b2b o eu_b2b_services.',
  ],
  [
    'eu_oss is for consumers; this NIF is that of a company or another entity.',
    'eu_oss es para consumidores; este NIF es de una sociedad u otra entidad.',
  ],
  [
    'eu_oss is for consumers in other member states; a Spanish address is charged vat, igic or ipsi.',
    'eu_oss es para consumidores de otros Estados miembros; a una dirección española se le repercute IVA, IGIC o IPSI.',
  ],
  [
    '{} needs a recipient with an EU VAT number of another member state (LIVA art. 25).',
    '{} exige un destinatario con NIF-IVA de otro Estado miembro (LIVA art. 25).',
  ],
  [
    'An invoice has at most {} different taxes and rates.',
    'Una factura lleva como máximo {} impuestos y tipos distintos.',
  ],
  [
    'Only a recipient with a Spanish NIF withholds income tax: leave the withholding out.',
    'Solo retiene IRPF un destinatario con NIF español: quite la retención.',
  ],
  [
    'Income tax is withheld of at most the net amount, {} (RD 439/2007 art. 75).',
    'Se retiene IRPF como máximo del importe sin impuestos, {} (RD 439/2007 art. 75).',
  ],
  [
    '{} % are withheld of the invoice: another rate takes a substitution.',
    'La factura retiene el {} %: otro tipo exige una sustitución.',
  ],
  [
    'The differences take back more disbursements than are in force.',
    'Las diferencias restan más suplidos de los que hay en vigor.',
  ],
  ['More is returned than is in force of the ticket.', 'Se devuelve más de lo que está en vigor del tique.'],
  ['The differences exceed the amount that is in force.', 'Las diferencias superan el importe en vigor.'],
  [
    'The differences of invoice {} exceed the amount of it that is in force.',
    'Las diferencias de la factura {} superan su importe en vigor.',
  ],
  // Who is invoiced.
  [
    "The recipient's tax id {} is malformed: {}.",
    'La identificación fiscal {} del destinatario no tiene el formato debido: compruebe sus cifras y su letra de control.',
  ],
  [
    "The recipient's tax id {} is not accepted: {}.",
    'La identificación fiscal {} del destinatario no consta con ese nombre en el censo o en el VIES.',
  ],
  [
    'The tax id {} is malformed: {}.',
    'La identificación fiscal {} no tiene el formato debido: compruebe sus cifras y su letra de control.',
  ],
  ['The tax id is of {} as {}, not of {}.', 'La identificación fiscal es de {} como {}, no de {}.'],
  ['The tax id is of {}, not of {}.', 'La identificación fiscal es de {}, no de {}.'],
  // Invoices and what may follow them.
  ['Invoice {} is voided.', 'La factura {} está anulada.'],
  ['Invoice {} was already corrected.', 'La factura {} ya se corrigió.'],
  ['Invoice {} is an exchange invoice.', 'La factura {} es de canje.'],
  ['Invoice {} was exchanged for a complete one.', 'La factura {} se canjeó por una completa.'],
  ['Invoice {} was replaced by a substitution.', 'La factura {} se sustituyó.'],
  [
    'Invoice {} was replaced by another exchange invoice.',
    'La factura {} se reemplazó por otra factura de canje.',
  ],
  [
    'Invoice {} is still being registered.',
    'La factura {} se está registrando aún en la Agencia Tributaria.',
  ],
  ['Invoice {} is not registered at the tax agency.', 'La factura {} no consta en la Agencia Tributaria.'],
  ['Invoice {} is complete.', 'La factura {} es completa.'],
  ['Invoice {} is simplified.', 'La factura {} es simplificada.'],
  [
    'Something was returned of the tickets of invoice {}: void the returns first.',
    'De los tiques de la factura {} se ha devuelto algo: anule antes las devoluciones.',
  ],
  ['is not a simplified invoice', 'no es una factura simplificada'],
  ['is not an exchange invoice', 'no es una factura de canje'],
  ['takes another exchange invoice back', 'anula otra factura de canje'],
  ['is that of a return: name that of the sale', 'es la de una devolución: indique la de la venta'],
  [
    'is required: the exchange invoice stands for several tickets',
    'es obligatorio: la factura de canje es de varios tiques',
  ],
  ['is no ticket of the exchange invoice', 'no es un tique de la factura de canje'],
  ['The external_id is already used by invoice {}.', 'La factura {} tiene ya ese external_id.'],
  ['The prefix {} is taken.', 'El prefijo {} ya existe.'],
  ['The series {} is in use.', 'La serie {} está en uso.'],
  [
    'Numbers of {} could equal those of the series {}.',
    'Los números de {} podrían coincidir con los de la serie {}.',
  ],
  ['{} cents of invoice {} are left to be paid.', 'Quedan {} céntimos por cobrar de la factura {}.'],
  ['{} cents of invoice {} are left to be refunded.', 'Quedan {} céntimos por reembolsar de la factura {}.'],
  [
    'Invoice {} names no e-mail address: send `to`.',
    'La factura {} no tiene dirección de correo: indíquela.',
  ],
  // Lists and totals.
  [
    'is not a cursor of this list: it is of another filter, order, grouping or environment',
    'no es un cursor de esta lista: es de otro filtro, otro orden, otra agrupación u otro entorno',
  ],
  ['is of groups: there are none without groupBy', 'se refiere a grupos, y sin groupBy no los hay'],
  [
    'There are more than {} groups. Page through them with `first` and `after`, narrow the filter, or group by less.',
    'Hay más de {} grupos. Pídalos por páginas con `first` y `after`, acote el filtro o agrupe por menos.',
  ],
  [
    'There are too many recipients to add up all of their groups for one page. Put `RECIPIENT` first in `groupBy`, or ask for a shorter period (`issuedOn`).',
    'Hay demasiados destinatarios para sumar todos sus grupos en cada página. Ponga `RECIPIENT` en primer lugar de `groupBy` o pida un periodo más corto (`issuedOn`).',
  ],
  [
    'These totals are added up from single invoices, which are too many. Ask for a shorter period (`issuedOn`), or for totals of every day that are kept: filtered by period, series, kind and type alone.',
    'Estos totales se suman factura a factura, y son demasiadas. Pida un periodo más corto (`issuedOn`) o los totales que se llevan por día: filtrados solo por periodo, serie, clase y tipo.',
  ],
  // Warnings: lawful, and yet likely wrong.
  [
    'the recipient has a Spanish address where IVA applies: goods are exported to 35, 38, 51 and 52 alone',
    'el destinatario tiene una dirección española en la que rige el IVA: solo se exporta a 35, 38, 51 y 52',
  ],
  [
    'a simplified invoice of {} EUR is lawful only for the activities of RD 1619/2012 art. 4.2; for others up to 400.00',
    'una factura simplificada de {} EUR solo es lícita en las actividades del RD 1619/2012 art. 4.2; en las demás, hasta 400,00',
  ],
  ['is past already: the invoice would be overdue at once', 'ya ha pasado: la factura vencería al expedirse'],
  ['is no rate of the withholding of income tax', 'no es un tipo de retención del IRPF'],
  ['is of no Spanish province', 'no es de ninguna provincia española'],
];
