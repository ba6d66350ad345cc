-- A results file of schema version 1, as text.
-- Played and written by the arena of commit 3090580, the last one before e840ab8 completed version 1: games have no
-- clock, no idle times and no evidence yet, and nobody is kept as withdrawn.
-- A tournament of four engines, one of which crashes in each game, and five matches.
-- Host, folders and platform are made up; all the rest is as it was written.
PRAGMA journal_mode = wal;
PRAGMA application_id = 1128352833;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'arena','0001_first','2026-11-22 15:32:07.024819+00:00');
CREATE TABLE games (
        id TEXT NOT NULL PRIMARY KEY,
        run TEXT NOT NULL,
        number INTEGER NOT NULL,
        round INTEGER NOT NULL,
        variant TEXT NOT NULL,
        p1 TEXT NOT NULL,
        p2 TEXT NOT NULL,
        winner TEXT CHECK (winner IN ('p1', 'p2', 'draw')),
        termination TEXT NOT NULL CHECK (termination IN (
            'line', 'no-turn', 'king-escaped', 'king-captured', 'repetition', 'no-move',
            'resignation', 'draw-agreed', 'adjudication',
            'time', 'illegal-move', 'malformed-move', 'crash', 'stall', 'unfinished')),
        detail TEXT NOT NULL,
        fen TEXT NOT NULL,
        opening TEXT NOT NULL,        -- moves, separated by blanks
        moves TEXT NOT NULL,          -- all of them, the opening's first, separated by blanks
        plies TEXT NOT NULL,          -- JSON, a list per ply played: wall_us, cpu_us, left_ms, depth, nodes, score
        ply_count INTEGER NOT NULL,   -- of all moves
        tc TEXT NOT NULL,
        seed INTEGER NOT NULL,
        started_at TEXT NOT NULL,     -- UTC, ISO 8601
        wall_ms INTEGER NOT NULL,
        host TEXT NOT NULL,
        UNIQUE (run, number),
        FOREIGN KEY (run, p1) REFERENCES players (run, name),
        FOREIGN KEY (run, p2) REFERENCES players (run, name)
    ) STRICT
    ;
INSERT INTO "games" VALUES('ec594cefe47f-1','ec594cefe47f',1,1,'callanish-5','random','crasher','p1','crash','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','a3 b4','a3 b4 a3b5c4 b4a2d5 b5a3d4','[[330,300,2019,1,1,"cp 0"],[191,160,2019,1,1,"cp 0"],[76,61,2039,1,1,"cp 0"]]',5,'2+0.02',59491310,'2026-11-22T15:32:07.744+00:00',226,'box');
INSERT INTO "games" VALUES('ec594cefe47f-2','ec594cefe47f',2,1,'callanish-5','crasher','random','p2','crash','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','a3 b4','a3 b4 a3b5c4 b4a2d5','[[202,178,2019,1,1,"cp 0"],[231,199,2019,1,1,"cp 0"]]',4,'2+0.02',1745533489,'2026-11-22T15:32:07.791+00:00',188,'box');
INSERT INTO "games" VALUES('ec594cefe47f-4','ec594cefe47f',4,1,'callanish-5','resigner','greedy','p2','resignation','','5/5/5/5/5 p1 1','c2 c5','c2 c5 c2a1b4 c5b3d3 b4d3d5 b3a1c1 d3e1e5 d3b2e1','[[214,180,2019,1,1,"cp 0"],[265,235,2019,1,6,"cp 33"],[155,97,2039,1,1,"cp 0"],[181,157,2039,1,15,"cp -12"],[102,86,2059,1,1,"cp 0"],[179,155,2059,1,14,"mate 2"]]',8,'2+0.02',1225205270,'2026-11-22T15:32:07.980+00:00',171,'box');
INSERT INTO "games" VALUES('ec594cefe47f-3','ec594cefe47f',3,1,'callanish-5','greedy','resigner','p1','resignation','','5/5/5/5/5 p1 1','c2 c5','c2 c5 c2a3e3 c5d3e4 e3c2c4 d3b4c1 c2b4d4','[[334,313,2019,1,15,"cp 43"],[286,244,2019,1,1,"cp 0"],[202,184,2039,1,12,"cp 87"],[124,106,2039,1,1,"cp 0"],[236,214,2059,1,21,"mate 2"]]',7,'2+0.02',963219688,'2026-11-22T15:32:07.972+00:00',287,'box');
INSERT INTO "games" VALUES('ec594cefe47f-5','ec594cefe47f',5,1,'callanish-5','greedy','crasher','p1','crash','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','a5 c5','a5 c5 a5b3c4 c5b3d3 c4a3e3','[[223,204,2019,1,1,"cp 50"],[189,159,2019,1,1,"cp 0"],[201,181,2039,1,15,"cp -25"]]',5,'2+0.02',1269670509,'2026-11-22T15:32:08.153+00:00',113,'box');
INSERT INTO "games" VALUES('ec594cefe47f-7','ec594cefe47f',7,1,'callanish-5','random','resigner','p1','resignation','','5/5/5/5/5 p1 1','e1 a4','e1 a4 e1c2d3 a4c3c5 c2a3e1 c3a4b5 d3b2e5','[[164,131,2019,1,1,"cp 0"],[145,122,2019,1,1,"cp 0"],[77,55,2039,1,1,"cp 0"],[11,88,2039,1,1,"cp 0"],[73,51,2059,1,1,"cp 0"]]',7,'2+0.02',1601516094,'2026-11-22T15:32:08.267+00:00',1,'box');
INSERT INTO "games" VALUES('ec594cefe47f-8','ec594cefe47f',8,1,'callanish-5','resigner','random','p2','resignation','','5/5/5/5/5 p1 1','e1 a4','e1 a4 e1c2d3 a4b2c3 d3b4e5 c3b1e4 c2a1e1 b1a3c3','[[103,87,2019,1,1,"cp 0"],[75,52,2019,1,1,"cp 0"],[10,63,2039,1,1,"cp 0"],[77,55,2039,1,1,"cp 0"],[10,69,2059,1,1,"cp 0"],[70,47,2059,1,1,"cp 0"]]',8,'2+0.02',1080744868,'2026-11-22T15:32:08.271+00:00',1,'box');
INSERT INTO "games" VALUES('ec594cefe47f-9','ec594cefe47f',9,1,'callanish-5','resigner','crasher','p1','crash','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','e4 c1','e4 c1 e4c5d2 c1a2e2 c5b3d3','[[161,131,2019,1,1,"cp 0"],[266,230,2019,1,1,"cp 0"],[96,81,2039,1,1,"cp 0"]]',5,'2+0.02',1987010404,'2026-11-22T15:32:08.275+00:00',128,'box');
INSERT INTO "games" VALUES('ec594cefe47f-6','ec594cefe47f',6,1,'callanish-5','crasher','greedy','p2','crash','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','a5 c5','a5 c5 a5b3c4 c5b3d3','[[349,292,2019,1,1,"cp 0"],[362,331,2019,1,6,"cp 60"]]',4,'2+0.02',1946099424,'2026-11-22T15:32:08.261+00:00',210,'box');
INSERT INTO "games" VALUES('ec594cefe47f-11','ec594cefe47f',11,1,'callanish-5','random','greedy','p2','line','','5/5/5/5/5 p1 1','d1 c5','d1 c5 d1b2c3 c5b3d3 c3b1d1 d3b2b4 b1a3c3','[[115,95,2019,1,1,"cp 0"],[293,274,2019,1,6,"cp 9"],[90,73,2039,1,1,"cp 0"],[286,268,2039,1,30,"mate 2"],[84,65,2059,1,1,"cp 0"]]',7,'2+0.02',64339234,'2026-11-22T15:32:08.472+00:00',2,'box');
INSERT INTO "games" VALUES('ec594cefe47f-12','ec594cefe47f',12,1,'callanish-5','greedy','random','p1','line','','5/5/5/5/5 p1 1','d1 c5','d1 c5 d1c3e3 c5d3e4 c3e2e4 d3b4e1','[[272,225,2019,1,3,"cp 59"],[97,73,2019,1,1,"cp 0"],[398,354,2039,1,34,"mate 2"],[92,66,2039,1,1,"cp 0"]]',6,'2+0.02',346957019,'2026-11-22T15:32:08.475+00:00',3,'box');
INSERT INTO "games" VALUES('ec594cefe47f-15','ec594cefe47f',15,1,'brandub','greedy','resigner','p1','king-captured','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d2f2 d5c5','d2f2 d5c5 d6d5 d3b3 d1d3','[[7822,2901,2012,1,42,"cp 303"],[4704,931,2015,1,1,"cp 0"],[708,679,2031,1,38,"mate 1"]]',5,'2+0.02',340907924,'2026-11-22T15:32:08.491+00:00',41,'box');
INSERT INTO "games" VALUES('ec594cefe47f-16','ec594cefe47f',16,1,'brandub','resigner','greedy','p2','king-escaped','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d2f2 d5c5','d2f2 d5c5 g4g3 d4d5 g3f3 d5g5 d1d2 g5g1','[[223,201,2019,1,1,"cp 0"],[2771,1642,2017,1,24,"cp -272"],[218,198,2039,1,1,"cp 0"],[1018,564,2036,1,22,"mate 3"],[276,248,2059,1,1,"cp 0"],[5542,450,2050,1,30,"mate 1"]]',8,'2+0.02',2139160617,'2026-11-22T15:32:08.534+00:00',12,'box');
INSERT INTO "games" VALUES('ec594cefe47f-10','ec594cefe47f',10,1,'callanish-5','crasher','resigner','p2','crash','the engine ended with exit status 1 when a bestmove was due','5/5/5/5/5 p1 1','e4 c1','e4 c1 e4c5d2 c1a2e2','[[188,157,2019,1,1,"cp 0"],[125,110,2019,1,1,"cp 0"]]',4,'2+0.02',259034281,'2026-11-22T15:32:08.405+00:00',154,'box');
INSERT INTO "games" VALUES('ec594cefe47f-19','ec594cefe47f',19,1,'brandub','random','resigner','p1','resignation','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d7e7 e4e2','d7e7 e4e2 b4b5 e2e6 d2e2 d3c3 b5a5','[[684,623,2019,1,1,"cp 0"],[263,234,2019,1,1,"cp 0"],[130,92,2039,1,1,"cp 0"],[173,119,2039,1,1,"cp 0"],[111,78,2059,1,1,"cp 0"]]',7,'2+0.02',702927643,'2026-11-22T15:32:08.549+00:00',22,'box');
INSERT INTO "games" VALUES('ec594cefe47f-23','ec594cefe47f',23,1,'brandub','random','greedy','p2','king-escaped','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d1c1 d3c3','d1c1 d3c3 a4a2 c3a3 f4f2 a3a4 d2c2 d4d1 f2f4 d1g1','[[2259,192,2017,1,1,"cp 0"],[32,1898,2019,1,23,"cp -198"],[138,114,2037,1,1,"cp 0"],[24,559,2039,1,29,"cp -102"],[17,182,2057,1,1,"cp 0"],[18,585,2059,1,26,"cp 78"],[12,78,2077,1,1,"cp 0"],[17,689,2079,1,30,"mate 1"]]',10,'2+0.02',633364653,'2026-11-22T15:32:08.573+00:00',9,'box');
INSERT INTO "games" VALUES('ec594cefe47f-20','ec594cefe47f',20,1,'brandub','resigner','random','p2','resignation','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d7e7 e4e2','d7e7 e4e2 b4b5 e2e5 e7f7 c4c7 d2c2 e5e7','[[496,454,2019,1,1,"cp 0"],[559,530,2019,1,1,"cp 0"],[13,172,2039,1,1,"cp 0"],[69,56,2039,1,1,"cp 0"],[11,106,2059,1,1,"cp 0"],[108,81,2059,1,1,"cp 0"]]',8,'2+0.02',691584453,'2026-11-22T15:32:08.569+00:00',26,'box');
INSERT INTO "games" VALUES('ec594cefe47f-24','ec594cefe47f',24,1,'brandub','greedy','random','p1','king-captured','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d1c1 d3c3','d1c1 d3c3 d2d3 c3c2 d3c3 e4e7 f4f7 d5b5 d6b6 d4d1 f7f1 d1e1 c3f3 c4c3 f3f1 c3a3 d7d1','[[5944,1859,2014,1,43,"cp 306"],[612,562,2019,1,1,"cp 0"],[705,671,2033,1,42,"cp 378"],[196,154,2039,1,1,"cp 0"],[1068,969,2052,1,41,"cp 477"],[168,127,2059,1,1,"cp 0"],[817,777,2071,1,42,"cp 576"],[74,58,2078,1,1,"cp 0"],[1822,295,2089,1,45,"cp 606"],[83,66,2098,1,1,"cp 0"],[242,225,2109,1,41,"mate -2"],[85,59,2118,1,1,"cp 0"],[511,475,2128,1,47,"cp 500"],[109,72,2138,1,1,"cp 0"],[1808,674,2147,1,47,"mate 1"]]',17,'2+0.02',1127398674,'2026-11-22T15:32:08.588+00:00',18,'box');
INSERT INTO "games" VALUES('4b1e87a2974b-1','4b1e87a2974b',1,1,'callanish-5','slow','random','p2','time','no bestmove within 150.000 ms of go','5/5/5/5/5 p1 1','e1 d1','e1 d1 e1c2d3 d1b2c3','[[284,246,null,1,1,"cp 0"],[286,243,null,1,1,"cp 0"]]',4,'movetime=100',764524298,'2026-11-22T15:32:10.032+00:00',366,'box');
INSERT INTO "games" VALUES('4b1e87a2974b-2','4b1e87a2974b',2,1,'callanish-5','random','slow','p1','time','no bestmove within 150.000 ms of go','5/5/5/5/5 p1 1','e1 d1','e1 d1 e1c2d3 d1c3e3 c2d4e3','[[119,97,null,1,1,"cp 0"],[226,193,null,1,1,"cp 0"],[111,86,null,1,1,"cp 0"]]',5,'movetime=100',2140106185,'2026-11-22T15:32:10.404+00:00',292,'box');
INSERT INTO "games" VALUES('e75892a097bf-1','e75892a097bf',1,1,'brandub','cheat','greedy','p2','illegal-move','a1b1 at ply 7 is not legal in 3a3/7/d5a/1a1k1aa/3d3/3a3/2d1d2 p1 4','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6g6 c4c1','d6g6 c4c1 g6g5 e4e1 a4a6 d5a5','[[463,428,null,1,1,"cp 0"],[6606,2082,null,1,26,"cp -191"],[185,167,null,1,1,"cp 0"],[426,404,null,1,30,"cp -93"]]',6,'nodes=50',510165710,'2026-11-22T15:32:12.064+00:00',275,'box');
INSERT INTO "games" VALUES('e75892a097bf-2','e75892a097bf',2,1,'brandub','greedy','cheat','p1','illegal-move','a1b1 at ply 6 is not legal in 3a3/6a/3d3/2ak1aa/3dd2/3a3/1a1a3 p2 3','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6g6 c4c1','d6g6 c4c1 b4b1 e4e3 a4c4','[[1961,1899,null,1,40,"cp 388"],[6100,1099,null,1,1,"cp 0"],[775,742,null,1,44,"cp 409"]]',5,'nodes=50',1019641950,'2026-11-22T15:32:12.342+00:00',160,'box');
INSERT INTO "games" VALUES('c1b0e58f13b2-1','c1b0e58f13b2',1,1,'brandub','peace','amity','draw','draw-agreed','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d1b1 d3g3','d1b1 d3g3 d2b2 c4c1 f4f2 c1b1 d6f6 b1c1','[[3295,581,2016,1,1,"cp 0"],[5938,820,2014,1,1,"cp 0"],[196,172,2036,1,1,"cp 0"],[129,110,2033,1,1,"cp 0"],[147,109,2056,1,1,"cp 0"],[125,101,2053,1,1,"cp 0"]]',8,'2+0.02',726149498,'2026-11-22T15:32:13.950+00:00',311,'box');
INSERT INTO "games" VALUES('c1b0e58f13b2-2','c1b0e58f13b2',2,1,'brandub','amity','peace','draw','draw-agreed','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d1b1 d3g3','d1b1 d3g3 a4a2 d5f5 a2a3 c4c3 a3a2 d4c4','[[152,136,2019,1,1,"cp 0"],[465,445,2019,1,1,"cp 0"],[117,103,2039,1,1,"cp 0"],[103,89,2039,1,1,"cp 0"],[122,94,2059,1,1,"cp 0"],[128,101,2059,1,1,"cp 0"]]',8,'2+0.02',7443121,'2026-11-22T15:32:14.263+00:00',2,'box');
INSERT INTO "games" VALUES('b5a44a9c4534-1','b5a44a9c4534',1,1,'callanish-5','first','again','p2','line','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[217,184,null,1,1,"cp 0"],[142,114,null,1,1,"cp 0"],[144,115,null,1,1,"cp 0"],[16,104,null,1,1,"cp 0"],[100,77,null,1,1,"cp 0"],[95,71,null,1,1,"cp 0"],[101,76,null,1,1,"cp 0"],[11,78,null,1,1,"cp 0"],[107,83,null,1,1,"cp 0"],[105,81,null,1,1,"cp 0"],[94,73,null,1,1,"cp 0"]]',11,'nodes=10',892358908,'2026-11-22T15:32:15.467+00:00',172,'box');
INSERT INTO "games" VALUES('b5a44a9c4534-2','b5a44a9c4534',2,1,'callanish-5','again','first','p2','line','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[12,75,null,1,1,"cp 0"],[96,74,null,1,1,"cp 0"],[10,63,null,1,1,"cp 0"],[94,72,null,1,1,"cp 0"],[10,75,null,1,1,"cp 0"],[82,61,null,1,1,"cp 0"],[81,59,null,1,1,"cp 0"],[139,112,null,1,1,"cp 0"],[87,65,null,1,1,"cp 0"],[91,69,null,1,1,"cp 0"],[84,62,null,1,1,"cp 0"]]',11,'nodes=10',1596988228,'2026-11-22T15:32:15.641+00:00',2,'box');
INSERT INTO "games" VALUES('b5a44a9c4534-3','b5a44a9c4534',3,2,'callanish-5','first','again','p2','line','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[11,64,null,1,1,"cp 0"],[10,64,null,1,1,"cp 0"],[9,52,null,1,1,"cp 0"],[9,53,null,1,1,"cp 0"],[119,58,null,1,1,"cp 0"],[75,54,null,1,1,"cp 0"],[74,53,null,1,1,"cp 0"],[80,57,null,1,1,"cp 0"],[77,56,null,1,1,"cp 0"],[79,58,null,1,1,"cp 0"],[76,55,null,1,1,"cp 0"]]',11,'nodes=10',1713292300,'2026-11-22T15:32:15.644+00:00',2,'box');
INSERT INTO "games" VALUES('b5a44a9c4534-4','b5a44a9c4534',4,2,'callanish-5','again','first','p2','line','','5/5/5/5/5 p1 1','','a1 a2 a1b3c2 a2b4c1 b3a1a5 b4a2c2 a5b3c4 a2b4c3 b3a5c1 b4a2d3 c1a2b3','[[11,66,null,1,1,"cp 0"],[9,65,null,1,1,"cp 0"],[18,55,null,1,1,"cp 0"],[9,55,null,1,1,"cp 0"],[80,57,null,1,1,"cp 0"],[76,55,null,1,1,"cp 0"],[81,59,null,1,1,"cp 0"],[78,53,null,1,1,"cp 0"],[80,58,null,1,1,"cp 0"],[77,57,null,1,1,"cp 0"],[77,56,null,1,1,"cp 0"]]',11,'nodes=10',546706551,'2026-11-22T15:32:15.647+00:00',2,'box');
INSERT INTO "games" VALUES('b0d2f59e4165-1','b0d2f59e4165',1,1,'brandub','alphabeta','mcts','p2','king-escaped','','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6g6 d5d6','d6g6 d5d6 a4a5 d4d5 a5c5 d5g5 b4b5 g5g7','[[2267,2170,null,1,36,"cp 285"],[14732,14579,null,5,60,"cp -161"],[1179,1132,null,1,39,"cp 284"],[424,391,null,2,2,"mate 3"],[303,286,null,1,36,"mate -2"],[397,371,null,1,1,"mate 1"]]',8,'nodes=60',1087087553,'2026-11-22T15:32:16.709+00:00',204,'box');
INSERT INTO "games" VALUES('b0d2f59e4165-2','b0d2f59e4165',2,1,'brandub','mcts','alphabeta','draw','adjudication','stopped after 20 plies','3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1','d6g6 d5d6','d6g6 d5d6 g4g5 d4d5 b4b5 d5e5 b5d5 c4c5 g6e6 e5d5 g5e5 c5c6 a4a5 d5c5 d2c2 c6d6 d7c7 c5c4 a5a4 c4c5','[[23321,13549,null,4,60,"cp 251"],[2009,1951,null,1,25,"cp -247"],[29378,14623,null,5,60,"cp 229"],[1019,989,null,1,28,"cp -254"],[29963,15523,null,5,60,"cp 245"],[795,767,null,1,19,"cp -278"],[13173,13043,null,5,60,"cp 248"],[1045,1000,null,1,24,"cp -290"],[13170,13013,null,4,60,"cp 221"],[915,877,null,1,21,"cp -291"],[10845,10717,null,5,60,"cp 153"],[846,809,null,1,25,"cp -270"],[12771,12621,null,5,60,"cp 166"],[1117,1074,null,1,23,"cp -270"],[12994,12861,null,5,60,"cp 262"],[940,894,null,1,24,"cp -267"],[12519,12358,null,6,60,"cp 220"],[954,908,null,1,21,"cp -270"]]',20,'nodes=60',730033809,'2026-11-22T15:32:16.915+00:00',173,'box');
CREATE TABLE players (
        run TEXT NOT NULL REFERENCES runs (id),
        seat INTEGER NOT NULL,        -- from 0, as the run lists them
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        author TEXT NOT NULL,
        command TEXT NOT NULL,        -- JSON list of words
        sha256 TEXT NOT NULL,
        PRIMARY KEY (run, name)
    ) STRICT
    ;
INSERT INTO "players" VALUES('ec594cefe47f',0,'random','0.1','the Callanish Arena project','["python3", "-P", "-m", "engines.random"]','ec431ee10b59d05e721fa8d4f58876795e855e2faa504efe465054918a4f1529');
INSERT INTO "players" VALUES('ec594cefe47f',1,'greedy','0.1','the Callanish Arena project','["python3", "-P", "-m", "engines.greedy"]','1d4bc093656ed09a5901600a572e1fc256fe017337a7810f94821c45a94fa0cf');
INSERT INTO "players" VALUES('ec594cefe47f',2,'resigner','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--resign", "7"]','ee1d5c6eb583b0927a9b353fc9a4849cd9f6e34ef0f6aa9006a4d5116738e463');
INSERT INTO "players" VALUES('ec594cefe47f',3,'crasher','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--fault", "exit-1", "--at", "mid", "--ply", "4"]','292514b6f85f624ada1b99a9023d14461a1a4d0bcf3db84abc254bea1dd10881');
INSERT INTO "players" VALUES('4b1e87a2974b',0,'slow','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--fault", "overuse", "--at", "mid", "--ply", "4"]','a8cdf19055b7cb7d68352b264b6ba4b7fd00b3097f5666f5794360f55855bed4');
INSERT INTO "players" VALUES('4b1e87a2974b',1,'random','0.1','the Callanish Arena project','["python3", "-P", "-m", "engines.random"]','ec431ee10b59d05e721fa8d4f58876795e855e2faa504efe465054918a4f1529');
INSERT INTO "players" VALUES('e75892a097bf',0,'cheat','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--fault", "illegal-move", "--at", "mid", "--ply", "5"]','8191394d6a6a915bf983e85f8e41215a7771d911ecb42fdd6ef96eb503371639');
INSERT INTO "players" VALUES('e75892a097bf',1,'greedy','0.1','the Callanish Arena project','["python3", "-P", "-m", "engines.greedy"]','1d4bc093656ed09a5901600a572e1fc256fe017337a7810f94821c45a94fa0cf');
INSERT INTO "players" VALUES('c1b0e58f13b2',0,'peace','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--offer", "6"]','659b19700daba05f8c6c214028f027553142f2d61e15b96658b37950ca7d2201');
INSERT INTO "players" VALUES('c1b0e58f13b2',1,'amity','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--offer", "6", "--mover", "first"]','b87c35c08fb99179f2ab614dcbe7ec33f76556a93c224c9ba42e33ac76a693fa');
INSERT INTO "players" VALUES('b5a44a9c4534',0,'first','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--mover", "first"]','a3e74efa8e4eb04efcdbdf7eaa378ae90cc5eacd2e37d502c96b0f6d4f9c7121');
INSERT INTO "players" VALUES('b5a44a9c4534',1,'again','','Callanish Arena','["python3", "-P", "-m", "engines.zoo", "--mover", "first"]','a3e74efa8e4eb04efcdbdf7eaa378ae90cc5eacd2e37d502c96b0f6d4f9c7121');
INSERT INTO "players" VALUES('b0d2f59e4165',0,'alphabeta','0.1','the Callanish Arena project','["python3", "-P", "-m", "engines.alphabeta"]','bbaaeba504e6a841b2e6456a1d1541ae05c3d1fd330c2f928c96553815fa0cf0');
INSERT INTO "players" VALUES('b0d2f59e4165',1,'mcts','0.1','the Callanish Arena project','["python3", "-P", "-m", "engines.mcts"]','2d216cbd0ba1c5abffb6ede4348cc2159f6e26fa4dee13943ea7cb438e80f45c');
CREATE TABLE runs (
        seq INTEGER PRIMARY KEY,      -- the order in which runs were begun
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament')),
        created_at TEXT NOT NULL,     -- UTC, ISO 8601
        config TEXT NOT NULL,         -- JSON
        seed INTEGER NOT NULL,
        games INTEGER NOT NULL,       -- that the schedule has
        host TEXT NOT NULL,
        versions TEXT NOT NULL        -- JSON
    ) STRICT
    ;
INSERT INTO "runs" VALUES(1,'ec594cefe47f','autumn cup','tournament','2026-11-22T15:32:07+00:00','{"kind": "tournament", "name": "autumn cup", "engines": [{"name": "random", "command": ["python3", "-P", "-m", "engines.random"], "options": {}}, {"name": "greedy", "command": ["python3", "-P", "-m", "engines.greedy"], "options": {}}, {"name": "resigner", "command": ["python3", "-P", "-m", "engines.zoo", "--resign", "7"], "options": {}}, {"name": "crasher", "command": ["python3", "-P", "-m", "engines.zoo", "--fault", "exit-1", "--at", "mid", "--ply", "4"], "options": {}}], "starts": [["callanish-5", null], ["brandub", null]], "games": 24, "openings": 2, "limit": "2+0.02", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 24, "seed": 7}',7,24,'box','{"arena": "0.1.0", "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(2,'4b1e87a2974b','slow against random','match','2026-11-22T15:32:09+00:00','{"kind": "match", "name": "slow against random", "engines": [{"name": "slow", "command": ["python3", "-P", "-m", "engines.zoo", "--fault", "overuse", "--at", "mid", "--ply", "4"], "options": {}}, {"name": "random", "command": ["python3", "-P", "-m", "engines.random"], "options": {}}], "starts": [["callanish-5", null]], "games": 2, "openings": 2, "limit": "movetime=100", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "seed": 3}',3,2,'box','{"arena": "0.1.0", "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(3,'e75892a097bf','cheat against greedy','match','2026-11-22T15:32:11+00:00','{"kind": "match", "name": "cheat against greedy", "engines": [{"name": "cheat", "command": ["python3", "-P", "-m", "engines.zoo", "--fault", "illegal-move", "--at", "mid", "--ply", "5"], "options": {}}, {"name": "greedy", "command": ["python3", "-P", "-m", "engines.greedy"], "options": {}}], "starts": [["brandub", null]], "games": 2, "openings": 2, "limit": "nodes=50", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "seed": 4}',4,2,'box','{"arena": "0.1.0", "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(4,'c1b0e58f13b2','peace against amity','match','2026-11-22T15:32:13+00:00','{"kind": "match", "name": "peace against amity", "engines": [{"name": "peace", "command": ["python3", "-P", "-m", "engines.zoo", "--offer", "6"], "options": {}}, {"name": "amity", "command": ["python3", "-P", "-m", "engines.zoo", "--offer", "6", "--mover", "first"], "options": {}}], "starts": [["brandub", null]], "games": 2, "openings": 2, "limit": "2+0.02", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 20, "seed": 5}',5,2,'box','{"arena": "0.1.0", "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(5,'b5a44a9c4534','first against again','match','2026-11-22T15:32:15+00:00','{"kind": "match", "name": "first against again", "engines": [{"name": "first", "command": ["python3", "-P", "-m", "engines.zoo", "--mover", "first"], "options": {}}, {"name": "again", "command": ["python3", "-P", "-m", "engines.zoo", "--mover", "first"], "options": {}}], "starts": [["callanish-5", null]], "games": 4, "openings": 0, "limit": "nodes=10", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 0, "seed": 6}',6,4,'box','{"arena": "0.1.0", "python": "3.11.7", "platform": "Linux"}');
INSERT INTO "runs" VALUES(6,'b0d2f59e4165','alphabeta against mcts','match','2026-11-22T15:32:16+00:00','{"kind": "match", "name": "alphabeta against mcts", "engines": [{"name": "alphabeta", "command": ["python3", "-P", "-m", "engines.alphabeta"], "options": {"Hash": "64"}}, {"name": "mcts", "command": ["python3", "-P", "-m", "engines.mcts"], "options": {"Hash": "64"}}], "starts": [["brandub", null]], "games": 2, "openings": 2, "limit": "nodes=60", "margin_ms": 50, "move_limit_ms": 60000, "max_plies": 20, "seed": 2}',2,2,'box','{"arena": "0.1.0", "python": "3.11.7", "platform": "Linux"}');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX games_p1 ON games (p1);
CREATE INDEX games_p2 ON games (p2);
CREATE INDEX games_variant ON games (variant);
CREATE INDEX games_termination ON games (termination);
CREATE VIEW sides AS
    SELECT run, id AS game, variant, 'p1' AS side, p1 AS engine, p2 AS opponent, termination,
        winner = 'p1' AS won, winner = 'draw' AS drawn, winner = 'p2' AS lost
    FROM games
    UNION ALL
    SELECT run, id, variant, 'p2', p2, p1, termination, winner = 'p2', winner = 'draw', winner = 'p1'
    FROM games;
CREATE VIEW scores AS
    SELECT run, engine, variant, side, count(won) AS games, total(won) + total(drawn) / 2 AS score,
        CAST(total(won) AS INTEGER) AS wins, CAST(total(drawn) AS INTEGER) AS draws,
        CAST(total(lost) AS INTEGER) AS losses, count(*) - count(won) AS unfinished
    FROM sides GROUP BY run, engine, variant, side;
CREATE VIEW endings AS
    SELECT run, variant, termination, winner, count(*) AS games, round(avg(ply_count), 1) AS mean_plies
    FROM games GROUP BY run, variant, termination, winner;
COMMIT;
