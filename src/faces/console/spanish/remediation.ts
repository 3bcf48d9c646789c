/** What to do about the answers of the agency. */
export const REMEDIATION = {
  'The agency does not know the recipient by this name and id, or the id contradicts its type or country. Ask the merchant for the exact fiscal identity, then amend the record with it. If the invoice should never have been issued, void it.':
    'La Agencia Tributaria no identifica al destinatario por ese nombre y esa identificación, o esta no concuerda con su tipo o su país. Pida a la empresa los datos fiscales exactos y subsane el registro con ellos. Si la factura no debió expedirse, anúlela.',
  'The agency does not accept the classification of the tax. Correct the company’s tax catalog first, then amend the record with “declare the taxes according to the current catalog”.':
    'La Agencia Tributaria no acepta la calificación del impuesto. Corrija primero el catálogo de impuestos de la empresa y subsane después el registro con «Declarar los impuestos según el catálogo actual».',
  'A text of the record does not meet the agency’s rules. Amend the record: correct the description or the recipient.':
    'Un texto del registro no cumple las reglas de la Agencia Tributaria. Subsane el registro: corrija la descripción o el destinatario.',
  'The amounts do not add up by the agency’s rules. They are sealed and cannot be amended: void the invoice, have the merchant issue it again, and inform the developers.':
    'Los importes no cuadran según las reglas de la Agencia Tributaria. Son inalterables y no se pueden subsanar: anule la factura, haga que la empresa la expida de nuevo e informe a los desarrolladores.',
  'The error concerns the chain itself: the fingerprint, the first record or the link to the preceding record. Verify the chain here; if there are no findings, contact the agency with the record’s XML before doing anything else.':
    'El error afecta a la propia cadena: la huella, el primer registro o el encadenamiento con el registro anterior. Verifique aquí la cadena; si no hay anomalías, diríjase a la Agencia Tributaria con el XML del registro antes de hacer nada más.',
  'The agency does not know the company by its NIF and name, or has no mandate that allows our certificate to send for it. The chain has stopped. Have the merchant correct its census data or the mandate, then retry the chain.':
    'La Agencia Tributaria no identifica a la empresa por su NIF y su nombre, o no le consta una representación que permita a nuestro certificado remitir en su nombre. La cadena se ha detenido. Haga que la empresa corrija sus datos censales o la representación y reintente después la cadena.',
  'This record makes every envelope fail, so it was parked; the others are sent. Check its XML before changing anything. Once the error is corrected, unpark it; if it can never be sent, skip it.':
    'Este registro hace fallar todos los envíos y por eso se ha apartado; los demás se remiten. Revise su XML antes de cambiar nada. Cuando el error esté corregido, reincorpórelo; si no se puede remitir nunca, márquelo como no remitido.',
  'A failure at the agency. It is retried automatically, at least once an hour; you can retry it now.':
    'Un fallo de la Agencia Tributaria. Se reintenta solo, al menos una vez por hora; puede reintentarlo ahora.',
  'The agency has repeatedly reported an internal failure for this record. Amend it without changes: the same content is sent again.':
    'La Agencia Tributaria ha comunicado varias veces un fallo interno con este registro. Subsánelo sin cambios: se vuelve a remitir el mismo contenido.',
  'The agency does not accept a date. Dates are sealed: void the invoice and have it issued again. If the date is right, compare our clock with the agency’s.':
    'La Agencia Tributaria no acepta una fecha. Las fechas son inalterables: anule la factura y haga que se expida de nuevo. Si la fecha es correcta, compare nuestro reloj con el de la Agencia Tributaria.',
  'The agency’s data about this invoice differ from ours. Check them on the agency’s web site, then amend or void accordingly, and inform the developers.':
    'Los datos que tiene la Agencia Tributaria de esta factura no son los nuestros. Compruébelos en su sede electrónica, subsane o anule según corresponda e informe a los desarrolladores.',
  'Registered. The recipient’s NIF is not in the census, as is expected for one declared as not registered. Nothing needs to be done; if that was a mistake, amend the identity.':
    'Registrada. El NIF del destinatario no está en el censo, como es de esperar cuando se declara como no censado. No hay que hacer nada; si fue un error, subsane la identificación.',
  'Registered, and needs no correction. Compare our clock with the agency’s: they are too far apart.':
    'Registrada; no necesita corrección. Compare nuestro reloj con el de la Agencia Tributaria: difieren demasiado.',
  'Registered, and needs no correction. The tax catalog should name a regime key for IPSI.':
    'Registrada; no necesita corrección. El catálogo de impuestos debería indicar una clave de régimen para el IPSI.',
  'The agency holds another record for an invoice with this number. Look it up on the agency’s web site. If it is from another system, the number is used twice and the merchant must be informed; amending replaces it with ours.':
    'La Agencia Tributaria tiene otro registro de una factura con este número. Consúltelo en su sede electrónica. Si procede de otro sistema, el número está duplicado y hay que informar a la empresa; la subsanación lo sustituye por el nuestro.',
  'The agency has already cancelled it. Nothing needs to be done.':
    'La Agencia Tributaria ya lo tiene anulado. No hay que hacer nada.',
  'The agency holds no record that could be changed. Void or amend again: the flags of the new record follow from this answer.':
    'La Agencia Tributaria no tiene ningún registro que se pueda modificar. Anule o subsane de nuevo: las marcas del registro nuevo se ajustan a esta respuesta.',
  'We may not send for this company. Have the merchant grant the mandate to the holder of our certificate, or upload the company’s own certificate; then amend the record without changes.':
    'No podemos remitir en nombre de esta empresa. Haga que otorgue la representación al titular de nuestro certificado o cargue el certificado de la propia empresa; después, subsane el registro sin cambios.',
  'The invoice was entered in the agency’s web form, and can be changed only there. Change it there, and state this in the reason if you void the invoice here.':
    'La factura se introdujo en el formulario web de la Agencia Tributaria y solo se puede modificar allí. Modifíquela allí e indíquelo en el motivo si la anula aquí.',
  'The agency has suspended our access: nothing is sent for any company. Contact the agency. Retry the chains only after it has confirmed that the access is restored.':
    'La Agencia Tributaria nos ha suspendido el acceso: no se remite nada de ninguna empresa. Diríjase a la Agencia Tributaria. Reintente las cadenas solo cuando haya confirmado que el acceso está restablecido.',
  'This answer is unknown. Read the agency’s message and the record’s XML; then amend the data in question, or void the invoice if it should never have been issued.':
    'Esta respuesta no se conoce. Lea el mensaje de la Agencia Tributaria y el XML del registro; después, subsane los datos en cuestión o anule la factura si no debió expedirse.',
  'Registered, with a remark. Read the agency’s message: if the remark is right, amend the record.':
    'Registrada con una observación. Lea el mensaje de la Agencia Tributaria: si la observación es acertada, subsane el registro.',
  'It was parked by an operator. Unpark it once the cause is removed; skip it only if it must never be sent.':
    'Lo apartó un operador. Reincorpórelo cuando la causa esté eliminada; márquelo como no remitido solo si no debe remitirse nunca.',
  'The agency refused the envelope for a reason that a retry does not remove. Read its message; once the cause is removed, retry the chain.':
    'La Agencia Tributaria ha rechazado el envío por una razón que un reintento no elimina. Lea su mensaje; cuando la causa esté eliminada, reintente la cadena.',
  'The agency could not be reached: nothing was sent. It is retried automatically, at least once an hour. Check our own network and certificate if others can reach it.':
    'No se ha podido conectar con la Agencia Tributaria: no se ha enviado nada. Se reintenta solo, al menos una vez por hora. Si otros sí se conectan, revise nuestra red y nuestro certificado.',
  'The envelope was sent, but no answer was received. Before anything is sent again, the agency is queried automatically for the records that it holds.':
    'El envío salió, pero no se ha recibido respuesta. Antes de volver a remitir nada, se consulta automáticamente a la Agencia Tributaria qué registros tiene.',
  'An unintelligible answer was received. Before anything is sent again, the agency is queried automatically for the records that it holds.':
    'Se ha recibido una respuesta ilegible. Antes de volver a remitir nada, se consulta automáticamente a la Agencia Tributaria qué registros tiene.',
  'The agency did not answer for every record. It is queried automatically for the records that it holds.':
    'La Agencia Tributaria no ha respondido por todos los registros. Se le consulta automáticamente qué registros tiene.',
  'One record makes the envelope fail: it is being located, and will be parked.':
    'Un registro hace fallar el envío: se está localizando y se apartará.',
} as const;
