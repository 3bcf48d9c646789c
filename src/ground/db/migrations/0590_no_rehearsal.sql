-- Processes no longer rehearse their work before they accept requests.
DROP TABLE "rehearsal";
DROP FUNCTION refuse_commit();
