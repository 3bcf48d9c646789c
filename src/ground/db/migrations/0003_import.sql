-- Old invoices come with numbers of their own. In any case of letters a number names one invoice of its environment, and
-- whether a series could compose a number is asked by its beginning, which only an index in byte order answers.
DROP INDEX invoice_number_ci;
CREATE UNIQUE INDEX invoice_number_ci ON invoice (environment_id, upper(number) text_pattern_ops);

ALTER TABLE import_run ADD CONSTRAINT import_run_counts CHECK (last_line >= 0 AND accepted >= 0 AND refused >= 0);
