/** The overview, jobs, mail, the audit log and the declaration. */
export const OPERATIONS = {
  Overview: 'Resumen',
  'Chains with records to send': 'Cadenas con registros por remitir',
  'None: every record has been sent.': 'Ninguna: se han remitido todos los registros.',
  'The {count} that have waited longest.': 'Las {count} que más tiempo llevan esperando.',
  'Records to send': 'Registros por remitir',
  'at least; oldest {time}': 'al menos; el más antiguo, {time}',
  'oldest {time}': 'el más antiguo, {time}',
  'Chains not sound': 'Cadenas con anomalías',
  'Documents due': 'Documentos por generar',
  'Failed jobs': 'Trabajos con error',
  'Nothing: all sending works, and nothing was refused.':
    'Nada: los envíos funcionan y no se ha rechazado nada.',
  'All refused, flagged or parked records': 'Todos los registros rechazados, con errores o apartados',
  History: 'Evolución',
  'Last day|period': 'Último día',
  'Last month': 'Último mes',
  'half an hour': 'media hora',
  'a day': 'un día',
  '24 hours ago': 'hace 24 horas',
  '30 days ago': 'hace 30 días',
  'Invoices issued': 'Facturas expedidas',
  'Records registered': 'Registros aceptados',
  'Oldest record unsent': 'Registro sin remitir más antiguo',
  'Webhook deliveries': 'Entregas de webhooks',
  'Database on disk': 'Base de datos en disco',
  '{name} as a table': '{name}, en una tabla',
  '{name}, by interval': '{name}, por intervalos',
  'No data yet: a worker takes a sample every five minutes.':
    'Todavía no hay datos: un proceso toma una muestra cada cinco minutos.',

  'The number or the id of an invoice, the id of a record or a company, the number of a chain, or a company’s name or NIF. A NIF after an invoice’s number finds that of one company.':
    'El número o el identificador de una factura, el identificador de un registro o de una empresa, el número de una cadena, o el nombre o el NIF de una empresa. Con un NIF tras el número se busca la factura de esa empresa.',
  'Invoices with the number {number}': 'Facturas con el número {number}',
  'The newest 20 at most. A NIF after the number finds those of one company.':
    'Las 20 más recientes como máximo. Con un NIF tras el número se buscan las de una empresa.',

  Jobs: 'Trabajos',
  'Background work. A job is only a trigger: the pending work is recorded in the data, so a job that runs twice, or late, is harmless.':
    'Trabajo en segundo plano. Un trabajo solo lo pone en marcha: lo pendiente consta en los datos, así que no importa que se ejecute dos veces o tarde.',
  'Jobs with errors': 'Trabajos con errores',
  'The queue': 'La cola',
  'Run all that match…': 'Ejecutar todos los que coincidan…',
  Task: 'Tarea',
  '{count} jobs': '{count} trabajos',
  Runs: 'Se ejecuta',
  'Last error': 'Último error',
  'No job has failed.': 'Ningún trabajo ha fallado.',
  'Run now…': 'Ejecutar ahora…',
  'Run all now…': 'Ejecutar todos ahora…',
  Due: 'Por ejecutar',
  Scheduled: 'Programado',
  Running: 'En ejecución',
  Retrying: 'Reintentándose',
  'The queue is empty.': 'La cola está vacía.',
  'There is no job of this id: it may be done.':
    'No hay ningún trabajo con ese identificador: puede que ya esté hecho.',
  'Run {task} now': 'Ejecutar {task} ahora',
  'It runs as soon as a worker is free, with the full number of attempts again.':
    'Se ejecuta en cuanto haya un proceso libre, de nuevo con todos los intentos.',
  About: 'Sobre',
  'Run it now': 'Ejecutar ahora',
  'The job runs as soon as a worker is free.': 'El trabajo se ejecuta en cuanto haya un proceso libre.',
  'Run all failed jobs now that match': 'Ejecutar ahora todos los trabajos con error que coincidan',
  'All jobs that have failed and match what is filled in here run as soon as a worker is free, with the full number of attempts again. What is left empty excludes none.':
    'Todos los trabajos con error que coincidan con lo que se indique aquí se ejecutan en cuanto haya un proceso libre, de nuevo con todos los intentos. Lo que quede en blanco no excluye ninguno.',
  'Failed: without further attempts': 'Con error: sin más intentos',
  'Last error contains': 'El último error contiene',
  'Run them now': 'Ejecutar ahora',
  '{count} jobs run as soon as a worker is free.':
    '{count} trabajos se ejecutan en cuanto haya un proceso libre.',

  Mail: 'Mensajes',
  'E-mails are listed with each invoice. Messages are shown here only by the demo, if no mail server is configured.':
    'Los correos figuran en cada factura. Aquí solo los muestra la demostración, cuando no hay un servidor de correo configurado.',
  'This demo has no mail server: it writes messages into a folder instead of sending them. The last 50.':
    'Esta demostración no tiene servidor de correo: escribe los mensajes en una carpeta en lugar de enviarlos. Los últimos 50.',
  Messages: 'Mensajes',
  'Subject|mail': 'Asunto',
  'From|mail': 'De',
  'No messages yet: an invoice can be sent from its page.':
    'Todavía no hay mensajes: una factura se puede enviar desde su página.',
  'No message with this id was written here.': 'Aquí no se ha escrito ningún mensaje con ese identificador.',
  'The message has no such attachment.': 'El mensaje no tiene ese archivo adjunto.',
  Files: 'Archivos',
  'As HTML': 'En HTML',
  'The message as HTML': 'El mensaje en HTML',
  Plain: 'En texto',

  'Audit log': 'Registro de auditoría',
  'Actions of operators, of merchants’ keys and of customers in the portal. Entries are never changed or deleted.':
    'Acciones de los operadores, de las claves de las empresas y de los clientes en el portal. Las entradas no se modifican ni se eliminan nunca.',
  Acts: 'Acciones',
  When: 'Cuándo',
  Actor: 'Quién',
  Subject: 'Sobre qué',
  Details: 'Detalles',
  'No actions yet.': 'Todavía no hay acciones.',
  'A customer': 'Un cliente',

  'Declaración responsable': 'Declaración responsable',
  'There is no declaration with this fingerprint.': 'No hay ninguna declaración con esa huella.',
  'Version {version}, signed {when}, in force.': 'Versión {version}, suscrita el {when}, vigente.',
  'Version {version}, signed {when}. It is no longer in force.':
    'Versión {version}, suscrita el {when}. Ya no está vigente.',
  'The one in force': 'Ver la vigente',
  'All versions': 'Todas las versiones',
  Version: 'Versión',
  Subscribed: 'Suscrita',
  Earlier: 'Anterior',
} as const;
