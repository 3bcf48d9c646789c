-- compatible
-- What a list's "text" looks through: a narrow row for each invoice, in the order of issue. A word may stand anywhere within another, so
-- that no index of words answers; the rows of invoices and their lines, read one by one, took 30 s of a million.

-- A text as it is looked for: in lower case and without accents, in any script. Of long texts with accents this takes a seventh of the
-- time of folded(), whose forms it has for all letters that folded() knows.
CREATE FUNCTION without_accents(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  plain text;
BEGIN
  IF octet_length(given) = length(given) THEN
    RETURN lower(given COLLATE "C");
  END IF;
  plain := regexp_replace(lower(normalize(given, NFD) COLLATE "C"), '[\u0300-\u036f]+', '', 'g');
  -- Letters that are none with an accent.
  IF plain ~ '[ØøĐđŁłĦħŦŧÆŒÐÞŊĲĿı]' THEN
    RETURN translate(plain, 'ØøĐđŁłĦħŦŧÆŒÐÞŊĲĿı', 'ooddllhhttæœðþŋĳŀi');
  END IF;
  RETURN plain;
END $$;

-- The texts of an invoice as they are looked for, each on a line of its own; descriptions come as they are here. With a double l all follow
-- once more without its dots, as what is asked for with a double l is; few have one, and the pattern takes long to see that.
CREATE FUNCTION searched_text(number text, order_id text, external_id text, called text, descriptions text) RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  texts text := concat_ws(E'\n', without_accents(number), without_accents(order_id), without_accents(external_id),
                          without_accents(called), descriptions);
BEGIN
  IF texts LIKE '%l.l%' OR texts LIKE '%l·l%' OR texts LIKE '%ŀl%' THEN
    RETURN texts || E'\n' || double_l(texts);
  END IF;
  RETURN texts;
END $$;

-- "listed_at" is the instant of issue.
CREATE TABLE invoice_text (
  environment_id integer NOT NULL,
  listed_at      timestamptz(3) NOT NULL,
  invoice_id     text NOT NULL,
  tax_id         text,
  content        text COLLATE "C" NOT NULL,
  PRIMARY KEY (environment_id, listed_at, invoice_id)
);

SELECT place_like('invoice_text', 'invoice');

-- Once the table is where its invoices are. An environment's number never changes, and Citus knows no ON UPDATE for such a key.
ALTER TABLE invoice_text ADD FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT;

-- With the lines, which are written after their invoice. One invoice at a time, read before it is written: Citus joins no inserted rows
-- with a divided table, and takes no environment from a row.
CREATE FUNCTION add_invoice_texts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environment integer;
  issued_id text;
  descriptions text;
  issued record;
BEGIN
  FOR environment, issued_id IN SELECT DISTINCT environment_id, invoice_id FROM added LOOP
    SELECT string_agg(DISTINCT without_accents(description) COLLATE "C", E'\n') INTO descriptions
      FROM invoice_line WHERE environment_id = environment AND invoice_id = issued_id;
    SELECT issued_at, recipient_tax_id, number, order_id, external_id, coalesce(recipient_company_name, recipient_name) AS called
      INTO STRICT issued FROM invoice WHERE environment_id = environment AND id = issued_id;
    INSERT INTO invoice_text (environment_id, listed_at, invoice_id, tax_id, content)
    VALUES (environment, issued.issued_at, issued_id, issued.recipient_tax_id,
            searched_text(issued.number, issued.order_id, issued.external_id, issued.called, descriptions))
    ON CONFLICT (environment_id, listed_at, invoice_id) DO UPDATE SET content = excluded.content;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER add_invoice_texts AFTER INSERT ON invoice_line REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION add_invoice_texts();
