-- Messages to a simulator of the public solution, whose interface is not published, are no longer sent.
DROP TABLE "exchange_message";
DROP TABLE "exchange_position";
