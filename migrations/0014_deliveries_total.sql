-- The total of deliveries, kept beside every insert and delete as in 0001.
CREATE TRIGGER deliveries_total_up AFTER INSERT ON deliveries BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'deliveries', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_total_down AFTER DELETE ON deliveries BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'deliveries';
END;
