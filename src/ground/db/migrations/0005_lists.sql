-- What lists of invoices are narrowed to and ordered by: texts without case and accents, numbers in the order in which people count
-- them, and an index for each. Nothing here depends on the collation of the database, nor on an extension.

-- A text in lower case and without accents, for Latin letters: those of Western and Central Europe, and accents written as
-- characters of their own. Most texts have none of either, which is told by their bytes.
CREATE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN octet_length(given) = length(given) THEN lower(given COLLATE "C")
       ELSE translate(lower(given COLLATE "C"),
         U&'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞàáâãäåçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğ'
         'ĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĴĵĶķĹĺĻļĽľĿŁłŃńŅņŇňŊŌōŎŏŐőŒŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž'
         '\0300\0301\0302\0303\0304\0306\0307\0308\030a\030b\030c\0327\0328',
         'aaaaaaæceeeeiiiiðnoooooouuuuyþaaaaaaceeeeiiiinoooooouuuuyyaaaaaaccccccccddddeeeeeeeeeegggg'
         'gggghhhhiiiiiiiiiiĳjjkkllllllŀllnnnnnnŋooooooœrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz') END;

-- A folded text without the dots of double l, as Catalan writes it (col·legi), also where the dot is a full stop or Unicode's l with a
-- dot. Within words alone: S.L.L. stays.
CREATE FUNCTION double_l(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(given, '(?<=[a-z])(l[.·]|ŀ)l(?=[a-z])', 'll', 'g');

-- The words of a name, each with the environment before it: an index over all environments then leads to one's own. Words end at
-- the general punctuation of Unicode too: Catalan names are often written with U+2019 (Col·legi d’Òptics). A word with a double l
-- is one with and without its dot. Computed for each invoice that is issued: the name is folded once, and split once unless it has
-- a double l.
CREATE FUNCTION name_words(environment_id integer, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  array_to_tsvector(ARRAY(SELECT environment_id || ' ' || word
                            FROM (SELECT folded(name) AS text OFFSET 0) AS given,
                                 regexp_split_to_table(CASE double_l(text) WHEN text THEN text ELSE text || ' ' || double_l(text) END,
                                   '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f]+') AS word
                           WHERE word <> ''));

-- A number so that F-2026-9 comes before F-2026-10. What another system issued keeps the order of its letters.
CREATE FUNCTION number_key(number text, series_number integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN series_number IS NULL THEN number
       ELSE left(number, -length(series_number::text)) || lpad(series_number::text, 10, '0') END;

-- A text in capitals with its accents composed, for Latin, Greek and Cyrillic letters: the same in every database, whatever its locale.
-- No letter beyond ASCII becomes one of ASCII, so a number in ASCII is never the same as another.
CREATE FUNCTION in_capitals(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  translate(upper(normalize(given) COLLATE "C"),
         'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľŀł'
         'ńņňŋōŏőŕŗřśŝşšţťŧũūŭůűųŵŷźżžͱͳͷάέήίαβγδεζηθικλμνξοπρστυφχψωϊϋό'
         'ύώϙϛϝϟϡϣϥϧϩϫϭϯϳϸϻабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќ'
         'ѝўџς',
         'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŸĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĴĶĹĻĽĿŁ'
         'ŃŅŇŊŌŎŐŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŹŻŽͰͲͶΆΈΉΊΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫΌ'
         'ΎΏϘϚϜϞϠϢϤϦϨϪϬϮͿϷϺАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЀЁЂЃЄЅІЇЈЉЊЋЌ'
         'ЍЎЏΣ');

-- Under its environment's number, so that what many merchants note alike is found within one of them at once.
CREATE FUNCTION metadata_within(environment_id integer, metadata jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  jsonb_set('{}', ARRAY[environment_id::text], metadata);
CREATE INDEX invoice_metadata_within ON invoice_metadata USING gin (metadata_within(environment_id, metadata) jsonb_path_ops);

-- A number names one invoice of its environment in any case of its letters. Where the locale of the database is C, as that of the
-- embedded one is, upper() knows the letters of ASCII alone: numbers in ASCII, which are all that are issued here, have one index, the
-- others one of their own. Whether a series could compose a number is asked by its beginning, which only an index in byte order
-- answers.
CREATE UNIQUE INDEX invoice_number_ci ON invoice (environment_id, upper(number) text_pattern_ops);
CREATE UNIQUE INDEX invoice_number_in_capitals ON invoice (environment_id, in_capitals(number)) WHERE octet_length(number) <> length(number);

-- All rectificativas of an invoice issued elsewhere are one family, known by issuer, number and day: asked whenever one is issued, and
-- again under the chain's lock.
CREATE INDEX invoice_external_original ON invoice (environment_id, upper(external_number), external_issued_on) WHERE external_number IS NOT NULL;
CREATE INDEX invoice_external_in_capitals ON invoice (environment_id, in_capitals(external_number), external_issued_on)
  WHERE octet_length(external_number) <> length(external_number);

-- What has the same name, or the same total, follows in the order of issue.
CREATE INDEX invoice_by_name ON invoice (environment_id, folded(coalesce(recipient_company_name, recipient_name, '')) COLLATE "C", issued_at, id);
CREATE INDEX invoice_environment_id_total_issued_at_id_idx ON invoice (environment_id, total, issued_at, id);
CREATE INDEX invoice_by_number ON invoice (environment_id, number_key(number, series_number) COLLATE "C", id);
CREATE INDEX invoice_by_kind ON invoice (environment_id, kind, issued_at DESC, id DESC) WHERE kind <> 'original';
-- In byte order, in which a tax id is found by its beginning whatever the locale of the database.
CREATE INDEX invoice_by_recipient ON invoice (environment_id, recipient_tax_id text_pattern_ops, issued_at DESC, id DESC)
  WHERE recipient_tax_id IS NOT NULL;
-- What has no due day comes behind every day.
CREATE INDEX invoice_by_due_day ON invoice (environment_id, coalesce(due_date, 'infinity'), issued_at, id);
CREATE INDEX invoice_email_ci ON invoice (environment_id, lower(recipient_email), issued_at DESC, id DESC) WHERE recipient_email IS NOT NULL;
CREATE INDEX invoice_environment_id_issued_at_id_idx ON invoice (environment_id, issued_at DESC, id DESC);
CREATE INDEX invoice_environment_id_type_issued_at_id_idx ON invoice (environment_id, type, issued_at DESC, id DESC);
CREATE INDEX invoice_environment_id_series_id_issued_at_id_idx ON invoice (environment_id, series_id, issued_at DESC, id DESC);
CREATE INDEX invoice_environment_id_external_customer_id_issued_at_id_idx ON invoice (environment_id, external_customer_id, issued_at DESC, id DESC);
-- Registered invoices are counted as all without those that are not, by indexes alone. An imported invoice is not, and few environments
-- have any.
CREATE INDEX invoice_imported ON invoice (environment_id) WHERE imported;

-- Lists by registration status in the order of issue: the index gives a page without looking at what is before or behind it.
CREATE INDEX record_state_by_status ON record_state (environment_id, status, listed_at, record_id) WHERE status <> 'registered' AND listed_at IS NOT NULL;

-- Lists of the invoices of a name: its words are looked for among the names, of which there are far fewer than invoices. A name in
-- lower case and without accents, and an invoice that has it. Nobody waits for another transaction that adds the same name: such a
-- name has two rows. A search would look through what is still to be added to the index; names are added rarely.
CREATE TABLE recipient_name (
  environment_id integer NOT NULL,
  name           text COLLATE "C" NOT NULL,
  invoice_id     text NOT NULL,
  PRIMARY KEY (environment_id, name, invoice_id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX recipient_name_words ON recipient_name USING gin (name_words(environment_id, name)) WITH (fastupdate=off);

CREATE FUNCTION add_recipient_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  called text COLLATE "C" := folded(coalesce(NEW.recipient_company_name, NEW.recipient_name));
BEGIN
  IF NOT EXISTS (SELECT 1 FROM recipient_name WHERE environment_id = NEW.environment_id AND name = called) THEN
    INSERT INTO recipient_name (environment_id, name, invoice_id) VALUES (NEW.environment_id, called, NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER add_recipient_name AFTER INSERT ON invoice FOR EACH ROW
  WHEN (coalesce(NEW.recipient_company_name, NEW.recipient_name) IS NOT NULL) EXECUTE FUNCTION add_recipient_name();

-- Customers by the words of their names, e-mail addresses and ids.
CREATE FUNCTION customer_words(environment_id integer, name text, company_name text, email text, tax_id text, external_customer_id text)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  name_words(environment_id, coalesce(name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' '
    || coalesce(tax_id, '') || ' ' || external_customer_id);
-- What each word of a text begins, among those.
CREATE FUNCTION begun_words(environment_id integer, given text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  (SELECT string_agg('''' || environment_id || ' ' || word || ''':*', ' & ')::tsquery
     FROM regexp_split_to_table(double_l(folded(given)), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f]+') AS word
    WHERE word <> '');
CREATE INDEX customer_by_words ON customer USING gin (customer_words(environment_id, name, company_name, email, tax_id, external_customer_id));

-- Invoices that were voided, exchanged or substituted at some time, with all that these correct: only they can be out of force, and few
-- are. Whether one is, its voids and successors say; a substitution that was voided itself leaves its row here behind. What an invoice
-- is stands in its row, so that a page of the voided ones, or of those out of force, passes over no invoice of another type, and
-- over those of other kinds without looking them up. None of that ever changes, and voiding is for good.
CREATE TABLE corrected_invoice (
  environment_id integer NOT NULL,
  invoice_id     text NOT NULL,
  listed_at      timestamptz(3) NOT NULL,
  type           invoice_type NOT NULL,
  kind           invoice_kind NOT NULL,
  voided         boolean NOT NULL,
  PRIMARY KEY (environment_id, invoice_id),
  FOREIGN KEY (environment_id, invoice_id) REFERENCES invoice (environment_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX corrected_invoice_listed ON corrected_invoice (environment_id, voided, type, listed_at, invoice_id);

-- The days of what is corrected are added up again. Of a void it has a second argument: the name of its table is another one on a shard. Voided, an exchange puts its tickets back in force; these have rows already.
CREATE FUNCTION list_corrected() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  environment integer := NEW.environment_id;
  corrected_id text := to_jsonb(NEW) ->> TG_ARGV[0];
  is_void boolean := TG_NARGS = 2;
  corrected text[] := ARRAY[corrected_id];
  earlier text[];
BEGIN
  IF is_void THEN
    SELECT corrected || array_agg(ticket_id) INTO corrected FROM invoice_exchange
     WHERE environment_id = environment AND exchange_id = corrected_id;
  END IF;
  -- What they correct, step by step; no recursive query, which Citus does not plan below an INSERT.
  earlier := corrected;
  WHILE cardinality(earlier) > 0 LOOP
    SELECT coalesce(array_agg(DISTINCT rectifies_id), '{}') INTO earlier FROM invoice
     WHERE environment_id = environment AND id = ANY (earlier) AND rectifies_id IS NOT NULL AND rectifies_id <> ALL (corrected);
    corrected := corrected || earlier;
  END LOOP;
  INSERT INTO day_to_add (environment_id, day)
  SELECT DISTINCT environment, issued_on FROM invoice WHERE environment_id = environment AND id = ANY (corrected);
  INSERT INTO corrected_invoice (environment_id, invoice_id, listed_at, type, kind, voided)
  SELECT environment, invoice.id, invoice.issued_at, invoice.type, invoice.kind, is_void AND invoice.id = corrected_id FROM invoice
   WHERE environment_id = environment AND id = ANY (corrected)
  ON CONFLICT DO NOTHING;
  IF is_void THEN
    UPDATE corrected_invoice SET voided = true WHERE environment_id = environment AND invoice_id = corrected_id AND NOT voided;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER list_corrected AFTER INSERT ON invoice_void FOR EACH ROW EXECUTE FUNCTION list_corrected('invoice_id', 'void');
CREATE TRIGGER list_corrected AFTER INSERT ON invoice_exchange FOR EACH ROW EXECUTE FUNCTION list_corrected('ticket_id');
CREATE TRIGGER list_corrected AFTER INSERT ON invoice FOR EACH ROW
  WHEN (NEW.kind = 'rectifying_substitution' AND NEW.rectifies_id IS NOT NULL) EXECUTE FUNCTION list_corrected('rectifies_id');
