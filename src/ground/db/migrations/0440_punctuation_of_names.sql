-- The words of a name end at the general punctuation of Unicode too: Catalan names are often written with U+2019 (Col·legi d’Òptics), and
-- their second word was not found.
CREATE OR REPLACE FUNCTION name_words(environment_id integer, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  array_to_tsvector(ARRAY(SELECT environment_id || ' ' || word
                            FROM regexp_split_to_table(folded(name), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f]+') AS word
                           WHERE word <> ''));

REINDEX INDEX recipient_name_words;
