-- A payment of a ticket that was removed after the ticket had been exchanged still counted for the complete invoice: computed again.
UPDATE payment_account account
   SET paid = made.paid
  FROM (SELECT DISTINCT exchange.environment_id, exchange.exchange_id AS root_id
          FROM invoice_payment_removal removal
          JOIN invoice_exchange exchange ON exchange.environment_id = removal.environment_id
         ) AS exchanged,
       LATERAL payment_account_of(exchanged.environment_id, exchanged.root_id) AS made
 WHERE account.environment_id = exchanged.environment_id AND account.root_id = exchanged.root_id AND account.paid <> made.paid;
